### Take & Share 日本語

game = Take & Share（テイク・アンド・シェア）
begins-deal = 第{ $number }ゲーム
designer = 山口真功（北九州ボードゲーム交流会）

command-deal = 配る
command-play = カードを出す
command-share = シェアする
choosing-share = { $seat }に渡すカードを選ぶ
chosen-share = { $part }→{ $seat }
doing-share = シェア：{ GIVEN($cards) }

## 設定

option-first = 最初のリードプレイヤーの席
option-deals = 何ゲーム行って得点を合計するか（ロングゲームでは1）
option-long = ロングゲーム：誰かの累計得点が20点（3人は30点）を超えるまで続ける

## できごと

note-dealt = 第{ $deal }ゲーム：各自に{ $cards }枚配り（手札は誰にも見せない）、シェアカードは { CARDS($shares) }。
note-hand = { SEAT($seat) }の手札は { CARDS($cards) }。
note-suits = スートは順に ♠スペード ♥ハート ♦ダイヤ ♣クラブ ★星 ☾月。
note-first-lead = 最初のリードプレイヤーは左隣の{ SEAT($seat) }に移る。
note-led = { SEAT($seat) }が { CARD($card) } をリード。
note-followed = { SEAT($seat) }は { CARD($card) } でフォロー。
note-free = { SEAT($seat) }は { $led } を持たないので { CARD($card) } を出す。
note-taken-highest = { SEAT($seat) }がトリックの勝者：全員がフォローし、{ CARD($card) } が最も大きい。
note-taken-lowest = { SEAT($seat) }がトリックの勝者：異なるスートがあるので、最も小さい { CARD($card) } が勝つ。
note-taken-earliest = { SEAT($seat) }がトリックの勝者：異なるスートがあるので最も小さい数字が勝つ。{ CARDS($equals) } のうち { CARD($card) } が先に出ていた。
note-shared = { SEAT($seat) }が全員に1枚ずつシェア：{ GIVEN($cards) }。
note-face-down = 受け取ったカードは各自の前に伏せて重ねる。
note-next-shares = このトリックのカードが次のシェアカードになる：{ CARDS($cards) }。
note-leads-next = 次のリードプレイヤーは{ SEAT($seat) }。
note-last-share = 最後のトリックだったので、{ CARDS($cards) } はシェアされない。
note-pile-open = { SEAT($seat) }が受け取ったカードを公開する：{ CARDS($cards) }。
row-scored-suit = { $suit }の合計
row-scored = 得点
note-scored-suit = { $suit }の合計は{ POINTS($sums) }。最も大きい合計が枚数分の得点になる：{ EACH("seat-scores", $seats, $counts) }。
seat-scores = { SEAT($first) } { $second }点
note-scored = 第{ $deal }ゲームの得点：{ POINTS($points) }。
note-long-goes-on = 累計得点は{ POINTS($totals) }。まだ誰も{ $goal }点を超えていないので、もう1ゲーム行う。
note-long-ends = 累計得点は{ POINTS($totals) }。{ $goal }点を超えたので、これが最終ゲームだった。
note-total = 全{ $deals }ゲーム中{ $deal }ゲームを終えて、累計得点は{ POINTS($totals) }。
note-won = { COUNT($seats) ->
    [1] { SEATS($seats) }の勝ち
   *[other] { SEATS($seats) }が勝利を分かち合う
}。得点は{ POINTS($points) }。

## 反則

violation-TS-2 = { SEAT($seat) }が出した { CARD($card) } は手札にない：手札のカードしか出せない
violation-TS-3 = { SEAT($seat) }は { CARD($held) } を持ちながら { CARD($card) } を出した：リードのスート { $led } をフォローしなければならない
violation-TS-8 = { SEAT($seat) }は { CARDS($cards) } を配ろうとしたが、シェアカードは { CARDS($shares) }：全員に1枚ずつ配る

refused-TS-2 = { CARD($card) } は手札にありません。手札のカードを出してください。
refused-TS-3 = 出せません：{ CARD($held) } を持っています。{ $led } をフォローしてください。
refused-TS-8 = シェアカードは { CARDS($shares) } です。全員に1枚ずつ配ってください。

## ルール

rule-TS-1 = 4人では14枚ずつ配り、シェアカード4枚を表にする。3人では15枚ずつと3枚。手札は誰にも見せない。
rule-TS-2 = カードは手札から表向きに出す。リードは何を出してもよい。
rule-TS-3 = リードのスートを持つ者はそれを出す（マストフォロー）。持たない者は何を出してもよい。
rule-TS-4 = 全員がリードのスートなら、最も大きい数字がトリックに勝つ。
rule-TS-5 = 異なるスートが1枚でもあれば、スートを問わず最も小さい数字が勝つ。
rule-TS-6 = 最も小さい数字が並べば、先に出した方が勝つ。
rule-TS-7 = 勝者は出されたカードをシェアカードと交換し、それが次のシェアカードになる。
rule-TS-8 = 勝者は交換で得たシェアカードを、自分を含む全員に1枚ずつ配る。
rule-TS-9 = 受け取ったカードは、いつでも持ち主だけが見てよい。
rule-TS-10 = 勝者が次のリードプレイヤー。手札がなくなるまで、4人なら14回、3人なら15回続ける。
rule-TS-11 = 最後のトリックの後にもシェアを行う。最後のトリックのカードはシェアされない。
rule-TS-12 = スートごとに、数字の合計が最も大きい者は、2人以上いても全員が、そのスートの自分の枚数を得点する。ほかの者は0点。
rule-TS-13 = 合計得点の最も高い者の勝ち。同点なら勝利を分かち合う。
rule-TS-14 = ロングゲーム（設定 `long`）は、誰かの累計得点が4人なら20点、3人なら30点を超えたゲームで終わる。そのとき累計得点の最も高い者の勝ち。
rule-TS-R1 = 6つのスートは順にスペード、ハート、ダイヤ、クラブ、星、月。
rule-TS-R2 = 2ゲーム以上行うときは、各ゲームで最初にリードする者が、1ゲームごとに左隣へ移る。
rule-TS-R3 = 設定 `deals` の数だけゲームを行い、得点を合計する。

## 場

zone-shares = シェアカード
zone-never-shared = 最後のトリック（シェアされない）
zone-trick = トリック
zone-hand = 手札
zone-played = 出したカード
zone-pile = 受け取ったカード
fact-deal = ゲーム
fact-trick = トリック
fact-total = 得点
mark-lead = リードプレイヤー

## ふりがな

readings = 累計《るいけい》

## 受け付けないわけ。英語の文はソースにある

message-other-deals = ゲームの数は1から{ $most }までで、{ $given }ではない
message-deals-or-long = ロングゲームではゲームの数を決めない。どちらかだけを選ぶ

## コマンドの項目（文字で書くプレイヤーへ）

field-play-card = 出すカード。スート（♠0、♥1、♦2、♣3、★4、☾5）×100+数字
field-share-cards = 配るカードを席の順に。最初が席0の分
