### マリーのケーキ 日本語

game = マリーのケーキ
begins-deal = ゲームの準備
designer = 蜂須賀敏浩（トイドロップ、2016年）

command-deal = 配る
command-open = 山札を開く
command-take = 2枚抜き取る
command-vote = 納得か不満かを示す
command-claim = 獲得する
command-settle = 食べるか決める
choosing-vote = 自分のカードに納得か、不満か
choosing-settle = 食べるカードを選ぶ
doing-open = 山札{ NTH($pile) }を開く
doing-vote = { $content ->
    [true] 納得を示す
   *[false] 不満を示す
}
doing-settle = { COUNT($eat) ->
    [0] 2枚とも確定させ、何も食べない
    [1] { CARDS($eat) } を食べ、もう1枚を確定させる
   *[other] 2枚とも食べる：{ CARDS($eat) }
}
field-pile = 山札

## 設定

option-first = 最初の兄者の席
option-elder_votes = 兄者も拳を挙げる

## できごと

note-dealt = { $size }枚の山札を{ $piles }つ作り、余った{ $out }枚は誰も見ずに箱へ戻す。
note-rounds = 山札の数だけ、{ $rounds }ラウンド行う。
note-first-elder = 最初の兄者は{ SEAT($seat) }、末の弟は{ SEAT($youngest) }。
note-opened = 第{ $round }ラウンド：兄者の{ SEAT($seat) }が山札{ NTH($pile) }を選ぶ。
note-looked = { SEAT($seat) }が中身を確認する：{ CARDS($cards) }。
note-took = { SEAT($seat) }は2枚を伏せて置き、残りを{ SEAT($to) }に渡す。
note-took-cards = { SEAT($seat) }は { CARDS($cards) } を伏せて置き、残りを{ SEAT($to) }に渡す。
note-received = { SEAT($seat) }が受け取ったのは { CARDS($cards) }。
note-youngest = 末の弟の{ SEAT($seat) }は、最後の2枚を受け取るだけ。
note-turned-up = { SEAT($seat) }のカードは { CARDS($cards) }。
note-elder-votes = 兄者の{ SEAT($seat) }も含め、全員が拳を挙げる。
note-elder-silent = 兄者の{ SEAT($seat) }は加わらず、弟たちが拳を挙げる。
note-voted = { SEAT($seat) }は拳を用意した。
note-voted-content = { SEAT($seat) }は親指を上に向ける（納得）。
note-voted-discontent = { SEAT($seat) }は親指を下に向ける（不満）。
note-votes = { COUNT($discontent) ->
    [0] 一斉に拳を挙げる：不満を訴えた者はいない。
    [1] 一斉に拳を挙げる：不満を訴えたのは{ SEATS($discontent) }だけ。
   *[other] 一斉に拳を挙げる：不満を訴えたのは{ SEATS($discontent) }。
}
note-disputed = 不満が{ $count }人いる（2人以上）ので、{ SEATS($order) }の順に、ほかの兄弟の前のカードを獲得する。
note-undisputed = { $count ->
    [0] 不満の者がいないので
   *[other] 不満が1人だけなので
}、それぞれ自分の前のカードを獲得する。
note-order = { SEATS($order) }の順に、確定させるか、その場で食べるかを決める。
note-acquired = { SEAT($seat) }は自分の前の { CARDS($cards) } を獲得する。
note-claimed = { SEAT($seat) }は{ SEAT($owner) }の前の { CARDS($cards) } を獲得する。
note-claimed-own = 残っているのは兄者の前の2枚だけなので、{ SEAT($seat) }は自分の前の { CARDS($cards) } を獲得する。
note-kept = { SEAT($seat) }は { CARDS($cards) } を確定させる。
note-ate = { SEAT($seat) }は { CARDS($cards) } をその場で食べる。
note-face-down = 食べたカードは伏せておき、{ SEAT($seat) }だけが見直せる。
note-sated = { SEAT($seat) }は{ $most }枚食べたので、もう食べられない。
note-next-elder = 次の兄者は、末の弟だった{ SEAT($seat) }。
note-scored-kinds = { SEAT($seat) }の得点は{ $points }点：{ EACH("kind", $cards, $counts, $scores) }、食べた{ $eaten }枚で{ $eaten }点。
kind = { CARD($first) }が{ $second }枚で{ $third }点
note-scored = 最後の山札が終わった。得点は{ POINTS($points) }。
note-tie-break = { SEATS($tied) }が同点。確定した { CARD($card) } の枚数を比べると、{ SEATS($seats) }が上回る。
note-won = { SEATS($seats) }の勝ち。
note-shared = 得点も、7から1までの枚数も同じなので、{ SEATS($seats) }が勝利を分かち合う。

## 反則

violation-CAKE-4 = { SEAT($seat) }が選んだ山札{ NTH($pile) }はすでに開かれている：選べるのは山札{ NTH($unopened) }
violation-CAKE-5 = { SEAT($seat) }は { CARDS($cards) } を抜き取ろうとしたが、渡されたカードは { CARDS($hand) }：この中から2枚を選ぶ
violation-CAKE-9 = { SEAT($seat) }は{ SEAT($owner) }の前のカードを獲得しようとした：獲得できるのは{ SEATS($left) }の前のカードだけ
violation-CAKE-12 = { SEAT($seat) }は { CARDS($eat) } を食べようとしたが、獲得したのは { CARDS($acquired) }：食べられるのは今獲得したカードだけ
violation-CAKE-13 = { SEAT($seat) }はすでに{ $eaten }枚食べており、さらに { CARDS($eat) } を食べようとした：食べられるのはゲームを通して{ $most }枚まで

refused-CAKE-4 = 山札{ NTH($pile) }はもう開いています。選べるのは山札{ NTH($unopened) }です。
refused-CAKE-5 = 渡されたカードは { CARDS($hand) } です。この中から2枚を選んでください。
refused-CAKE-9 = 獲得できるのは{ SEATS($left) }の前のカードだけです。
refused-CAKE-12 = 食べられるのは、今獲得した { CARDS($acquired) } だけです。
refused-CAKE-13 = もう{ $eaten }枚食べています。食べられるのはゲームを通して{ $most }枚までです。

## ルール

rule-CAKE-1 = 3人なら6枚の山札を6つ、4人なら8枚を5つ、5人なら10枚を5つ作る。余りは誰も見ずに箱へ戻す。
rule-CAKE-2 = 山札の数だけラウンドを行う。
rule-CAKE-3 = 最初の兄者は設定で決める。兄者から時計回りに弟が続き、兄者の右隣が末の弟。
rule-CAKE-4 = 兄者はまだ開かれていない山札をひとつ選び、中身を確認する。
rule-CAKE-5 = 兄者から順に、渡されたカードから2枚を抜き取って自分の前に伏せ、残りを左隣に渡す。
rule-CAKE-6 = 末の弟は選ばない。最後の2枚を見て自分の前に伏せる。
rule-CAKE-7 = 全員に2枚ずつ行き渡ったら、すべて表にする。
rule-CAKE-8 = 兄者を含む全員が、一斉に拳を挙げ、納得（親指が上）か不満（親指が下）かの態度を示す。そろうまで、ほかの者の態度は分からない。
rule-CAKE-9 = 不満が2人以上なら、末の弟から反時計回りに兄者まで、ほかの兄弟の前の2枚を獲得する。同じ2枚は一度しか獲得できない。
rule-CAKE-10 = 兄者の番に兄者の前の2枚しか残っていなければ、兄者はそれを獲得する。ほかに自分の前のカードを獲得することはない。
rule-CAKE-11 = 不満が2人に満たなければ、各自が自分の前の2枚を獲得する。
rule-CAKE-12 = 獲得したカードは、その場で1枚ずつ、確定させる（表向きのまま）か、食べる（どれを食べるかは全員が見る。そのあとは伏せておき、枚数だけが分かる）かする。
rule-CAKE-13 = 食べられるのは、ゲームを通してひとり2枚まで。
rule-CAKE-14 = 次の兄者は、このラウンドの末の弟。
rule-CAKE-15 = 最後の山札で終わる。食べたカードは1枚1点。確定したカードは同じ数字ごとに、1枚なら-3点、2枚は-1点、3枚は1点、4枚は3点、5枚は5点、6枚は6点、7枚は7点、8枚は8点。1枚もない数字は0点。
rule-CAKE-16 = 合計の最も高い者の勝ち。同点なら確定した7の枚数、次に6の枚数と、順に1まで比べる。
rule-CAKE-R1 = CAKE-11のときも、末の弟から反時計回りに兄者まで、順に食べるかどうかを決める。
rule-CAKE-R2 = CAKE-16でも並べば、勝利を分かち合う。
rule-CAKE-R3 = 兄者も弟たちと同じく、納得か不満かを拳で示す。設定 `elder_votes` で外すこともできる。
rule-CAKE-R4 = 自分の食べたカードは見直してよい。ほかの者に分かるのは枚数だけ。

## 場

zone-piles = 山札
zone-out = 箱の中
zone-hand = 手にあるカード
zone-pair = 手前の2枚
zone-acquired = 獲得したカード
zone-kept = 確定
zone-eaten = 食べたカード
fact-round = ラウンド
fact-points = 得点
fact-eaten = 食べた枚数
mark-elder = 兄者
mark-voted = 拳を用意
mark-content = 納得
mark-discontent = 不満
part-vote-content = 納得
part-vote-discontent = 不満
part-keep-rest = 残りを確定させる

## ふりがな

readings = 兄者《あにじゃ》 末の弟《すえのおとうと》 弟たち《おとうとたち》 兄弟《きょうだい》 拳《こぶし》 納得《なっとく》 不満《ふまん》 獲得《かくとく》 確定《かくてい》 蜂須賀敏浩《はちすかとしひろ》

## 受け付けないわけ。英語の文はソースにある

message-no-such-pile = 山札は1~{ $last }で、{ $given }ではない
message-two-ranks = 数字を小さい順に2つ示すところで、{ $given }ではない
message-up-to-two-ranks = 数字を小さい順に2つまで示すところで、{ $given }ではない

## コマンドの項目（文字で書くプレイヤーへ）

field-open-pile = まだ開かれていない山札。0から数え、場の番号より1小さい
field-take-cards = 渡されたカードのうち抜き取る2枚（小さい順）
field-vote-content = true：納得、false：不満
field-claim-owner = 獲得する2枚が前にある席
field-settle-eat = 獲得したカードのうち食べるもの（小さい順）。なければ[]。残りは確定させる
