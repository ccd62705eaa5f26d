### Palace 日本語

game = パレス（王国の建築士）
begins-deal = ゲームの準備
points = 宮殿{ $points }
doing-inspect = 査察する：{ OWNED($targets) }、{ called-charge }
called-charge = { $charge ->
    [no_red] 要件A「赤の柱がない」
    [no_yellow] 要件B「黄の柱がない」
    [no_green] 要件C「緑の柱がない」
    [no_blue] 要件D「青の柱がない」
    [no_pair] 要件E「同じ色のペアがない」
   *[all_colours] 要件F「全色の柱がある」
}
doing-quake = 地震を起こす：{ NAME($colour) }
owned-one = { SEAT($seat) }の宮殿{ $number }
designer = 蜂須賀敏浩、ディベロップ 北条投了（トイドロップ、2015年）

command-deal = 配る
command-draw = 山札から引く
command-build = 建築する
command-inspect = 査察する
command-quake = 地震を起こす

## カード

card-0 = 赤
card-1 = 黄
card-2 = 緑
card-3 = 青
card-4 = END

## 設定

option-first = スタートプレイヤーの席
option-open_colour = 色を指定する査察で、どのカードをオープンと数えるか
option-open_colour-seen = 全員が見たカードすべて
option-open_colour-table = 場にあるカードだけ
option-end_place = 3人のとき、ENDをどこに置くか
option-end_place-about = 下からおよそ3分の1
option-end_place-exact = ちょうど45枚の下

## できごと

note-dealt = 各自に柱カードを{ $cards }枚ずつ配る。
note-hand = { SEAT($seat) }の手札は { CARDS($cards) }。
note-end-among-last = ENDは山札の下から{ $last }枚のどこかにある。
note-end-between = 山札をA・B・Cの3つの束に分け、上からA・B・END・Cの順に重ねる。
note-end-above = ENDの上には{ $above }枚ある。
note-end-about = ENDの上には{ $least }枚から{ $most }枚ある。何枚かは誰も知らない。
note-turn = { SEAT($seat) }の手番。
note-must-build = { SEAT($seat) }は手札が{ $held }枚なので、建築しかできない。
note-drew = { SEAT($seat) }は山札から{ NAME($card) }の柱カードを引く。
note-drew-unseen = { SEAT($seat) }は山札から1枚引く。
note-end-drawn = { SEAT($seat) }がENDカードを引き、ゲーム終了。
note-built = { SEAT($seat) }は柱カード{ $size }枚で宮殿{ NTH($palace) }を建てる。
note-two-palaces = { SEAT($seat) }の宮殿は単独で最も少なかったので、一度に2つ建てられる。
note-own-palace = 宮殿{ NTH($palace) }の中身 { CARDS($cards) } は{ SEAT($seat) }だけが見てよい。
note-inspected = { SEAT($seat) }が査察要件{ $charge ->
    [no_red] A「赤の柱がない」
    [no_yellow] B「黄の柱がない」
    [no_green] C「緑の柱がない」
    [no_blue] D「青の柱がない」
    [no_pair] E「同じ色のペアがない」
   *[all_colours] F「全色の柱がある」
}を宣言する。
note-charge-holds = { SEAT($owner) }の宮殿{ NTH($palace) }は { CARDS($cards) }：要件に当てはまり、安全基準を満たさない。
note-charge-fails = { SEAT($owner) }の宮殿{ NTH($palace) }は { CARDS($cards) }：要件に当てはまらず、安全性が認められる。
note-pulled-down = { SEAT($owner) }の宮殿{ NTH($palace) }は取り壊され、{ CARDS($cards) } は{ SEAT($seat) }の手札に入る。
note-verified = { SEAT($owner) }の宮殿{ NTH($palace) }は表向きに残り、もう査察を受けない。
note-both-judged = 2つの宮殿を同じ要件で調べた。{ $gained ->
    [0] 取り壊された宮殿はない
   *[other] { SEAT($seat) }の手札に入ったのは合わせて{ $gained }枚
}。
note-all-open = { NAME($card) }の{ $total }枚すべてが場にオープンになった：この色はもう指定できない。
note-all-seen = { NAME($card) }の{ $total }枚すべてが公開された（うち場にあるのは{ $lying }枚）：この色はもう指定できない。
note-seen-not-lying = { NAME($card) }の{ $total }枚すべてが公開されたが、場にあるのは{ $lying }枚だけ：この色はまだ指定できる。
note-open-no-more = 場に残る{ NAME($card) }は{ $total }枚のうち{ $lying }枚だけになった：この色をまた指定できる。
note-quaked = { SEAT($seat) }が { CARDS($cards) } を出し、地震が起きる。
note-fell = { SEAT($owner) }の宮殿{ NTH($palace) }が崩壊する：{ CARDS($cards) }。
note-nothing-fell = { NAME($card) }の柱を使った、安全性が確認されている宮殿はなく、何も崩壊しない。
note-removed = { CARDS($cards) } をゲームから除外する。
note-won = { SEATS($seats) }の勝ち。宮殿が最も多い：{ POINTS($points) }。
note-won-by-hand = 宮殿の数が最多で並んだので（{ POINTS($points) }）、そのうち手札の最も多い{ SEATS($seats) }の勝ち（{ POINTS($hands) }）。
note-victory-shared = 宮殿の数（{ POINTS($points) }）も手札の数（{ POINTS($hands) }）も同じなので、{ SEATS($seats) }が勝利を分かち合う。

## 反則

violation-PAL-5 = { SEAT($seat) }は手番開始時に手札が{ $held }枚あった：5枚以上なら建築しかできない
violation-PAL-8 = { SEAT($seat) }は{ NAME($colour) }を{ $used }枚使おうとしたが、手札には{ $held }枚しかない：宮殿は手札の柱カードで建てる
violation-PAL-9 = { SEAT($seat) }は宮殿を2つ建てようとしたが、各自の宮殿の数は { POINTS($palaces) }：2つ建てられるのは単独で最も少ないときだけ
violation-PAL-10 = { SEAT($seat) }は{ SEAT($owner) }の宮殿{ NTH($palace) }を査察しようとした：{ $why ->
    [own] 自分の宮殿は査察できない
    [verified] 安全性が確認されている宮殿は二度と査察されない
   *[gone] その宮殿は建っていない
}
violation-PAL-13 = { SEAT($seat) }は{ NAME($colour) }を指定したが、その{ $cards }枚すべてがオープンになっている：そのような色は指定できない
violation-PAL-14 = { SEAT($seat) }は要件E「同じ色のペアがない」で{ $palaces }つの宮殿を査察しようとした：この要件ではひとつだけ
violation-PAL-15 = { SEAT($seat) }は要件F「全色の柱がある」で{ $palaces }つの宮殿を査察しようとした：この要件ではひとつだけ
violation-PAL-16 = { SEAT($seat) }は{ NAME($colour) }で地震を起こそうとしたが、手札に{ $held }枚しかない：同じ色が4枚要る

refused-PAL-5 = 手札が{ $held }枚あります。5枚以上のときは建築しかできません。
refused-PAL-8 = { NAME($colour) }は手札に{ $held }枚で、{ $used }枚は使えません。宮殿は手札の柱カードで建てます。
refused-PAL-9 = 宮殿を2つ建てられるのは、単独で最も少ないときだけです。今は { POINTS($palaces) } です。
refused-PAL-10 = { $why ->
    [own] 自分の宮殿は査察できません。
    [verified] { SEAT($owner) }の宮殿{ NTH($palace) }は安全性が確認されているので、もう査察できません。
   *[gone] { SEAT($owner) }の宮殿{ NTH($palace) }は建っていません。
}
refused-PAL-13 = { NAME($colour) }は{ $cards }枚すべてがオープンになっているので、指定できません。
refused-PAL-14 = この要件で査察できる宮殿はひとつで、{ $palaces }つは選べません。
refused-PAL-15 = この要件で査察できる宮殿はひとつで、{ $palaces }つは選べません。
refused-PAL-16 = { NAME($colour) }は手札に{ $held }枚です。地震には同じ色が4枚要ります。

## ルール

rule-PAL-1 = 最初の手札は、各自柱カード3枚。
rule-PAL-2 = 4～6人では、残りのうち10枚にENDを混ぜて切り、山札の下に置く。ENDは最後の11枚のどこかにある。
rule-PAL-3 = 3人では、残りの67枚をほぼ等しくA・B・Cに分け、上からA・B・END・Cと重ねる。
rule-PAL-4 = 手番では、引く・建築・査察・地震のうち行動をちょうどひとつ行い、左隣に手番が移る。
rule-PAL-5 = 手番の始めに手札が5枚以上ある者は、建築しかできない。
rule-PAL-6 = 山札の一番上の1枚を手札に加える。
rule-PAL-7 = ENDが引かれたら、ただちにゲーム終了。ENDは手札に数えない。
rule-PAL-8 = 手札の1枚以上を伏せてひとまとめにしたものが、新しい宮殿ひとつ。枚数は全員にわかる。
rule-PAL-9 = 一度に2つ建築できるのは、その時点で宮殿の数が単独で最少の者だけ。
rule-PAL-10 = 査察では要件をひとつ宣言し、ほかの者の伏せた宮殿を1つか2つ表にする。要件に当てはまらない宮殿は安全で、表のまま残り、以後は査察されない。
rule-PAL-11 = 要件に当てはまる宮殿は取り壊され、そのカードは査察した者の手札になる。
rule-PAL-12 = 要件A～D「（赤・黄・緑・青の）柱がない」：その色を含まない宮殿が取り壊される。同じ色の指定で2つまで、持ち主は別々でもよい。
rule-PAL-13 = 全部のカードがオープンになっている色は指定できない。
rule-PAL-14 = 要件E「同じ色のペアがない」：同じ色が2枚以上ない宮殿が取り壊される。査察できるのはひとつ。
rule-PAL-15 = 要件F「全色の柱がある」：4色すべてを含む宮殿が取り壊される。査察できるのはひとつ。
rule-PAL-16 = 手札から同じ色を4枚出すと地震が起き、その色を含む、安全性が確認されている宮殿は、誰のものでもすべて崩壊する。伏せた宮殿は崩壊しない。
rule-PAL-17 = 出した4枚と崩壊した宮殿のカードは、ゲームから除外される。
rule-PAL-18 = 安全性の確認の有無によらず、宮殿の最も多い者の勝ち。同数なら手札の多い者、それも同じなら勝利を分かち合う。
rule-PAL-R1 = 3人のA・B・Cはそれぞれ20～25枚とする。ENDの上は42～47枚で、何枚かは誰も知らない。設定 `end_place` が exact なら、ちょうど45枚。
rule-PAL-R2 = 安全性が確認されている宮殿のカードと除外されたカードは、全員が見ているのでオープンと数える。設定 `open_colour` が table なら、場のカードだけを数える。
rule-PAL-R3 = 自分の伏せた宮殿は、持ち主が見てよい。
rule-PAL-R4 = 崩壊する宮殿がなくても、地震は起こせる。
rule-PAL-R5 = 2つの査察では、それぞれを同じ要件で調べ、取り壊された分は最後にまとめて手札に入る。

## 場

zone-pile = 山札
zone-out = 除外されたカード
zone-hand = 手札
zone-palaces = 宮殿
fact-pile = 山札の枚数
fact-palaces = 宮殿の数
mark-turn = 手番
mark-verified = 確認済み
mark-face-down = 未確認

part-build-second = 2つ目の宮殿
part-charge-no_red = A 赤の柱がない
part-charge-no_yellow = B 黄の柱がない
part-charge-no_green = C 緑の柱がない
part-charge-no_blue = D 青の柱がない
part-charge-no_pair = E 同じ色のペアがない
part-charge-all_colours = F 全色の柱がある
part-quake-red = 地震：赤
part-quake-yellow = 地震：黄
part-quake-green = 地震：緑
part-quake-blue = 地震：青
field-sizes = 枚数

## ふりがな

readings = 宮殿《きゅうでん》 柱《はしら》 査察《ささつ》 要件《ようけん》 建築《けんちく》 地震《じしん》 崩壊《ほうかい》 除外《じょがい》 蜂須賀敏浩《はちすかとしひろ》

## 受け付けないわけ。英語の文はソースにある

message-place-of-end = ENDは0から数えて{ $first }~{ $last }番目
message-no-such-colour = 色は0~3で、{ $given }ではない
message-one-or-two-built = 建てる宮殿は1つか2つで、{ $count }ではない
message-a-palace = 宮殿は1枚以上の柱カードで建てる
message-cards-ascending = 宮殿のカードは小さい順に並べる
message-a-charge = 要件は次のどれか：{ $known }
message-one-or-two-inspected = 査察する宮殿は1つか2つで、{ $count }ではない
message-a-number = 宮殿の番号は0以上で、{ $given }ではない
message-named-ascending = 査察する宮殿は小さい順に、重ならないように示す

## コマンドの項目（文字で書くプレイヤーへ）

field-build-palaces = 新しい宮殿ごとのカード。[[…]]か[[…],[…]]。0は赤（R）、1は黄（Y）、2は緑（G）、3は青（B）
field-inspect-charge = 要件：その色がない、同色のペアがない、全色そろっている
field-inspect-targets = 査察する宮殿（1つか2つ）。それぞれ席と番号のリスト。番号は0から数え、場の番号より1小さい
field-quake-colour = 4枚のカードの色。0は赤、1は黄、2は緑、3は青
