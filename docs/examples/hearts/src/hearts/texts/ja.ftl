### ハーツ 日本語

game = ハーツ
designer = 不詳

command-deal = 配る
command-pass = 渡す
command-play = 出す

option-deals = 何回配るか
option-first_points = 最初のトリックから点のカードを出せる

## ルール

rule-HEARTS-1 = 4人に52枚を13枚ずつ配る。
rule-HEARTS-2 = 各自が3枚を伏せて渡す。1回目は左、次からは右、向かいの順で、その次は渡さない。
rule-HEARTS-3 = 最初のトリックは、♣2を持つ席がそれをリードする。
rule-HEARTS-4 = 順番に手札から1枚を出す。
rule-HEARTS-5 = リードされたスートを持つ席は、それを出す。
rule-HEARTS-6 = 最初のトリックでは、ほかに手札があれば、ハートと♠Qを出さない。
rule-HEARTS-7 = ほかに手札があれば、ハートが一度出るまではハートをリードしない。
rule-HEARTS-8 = リードされたスートの最も強いカードがトリックを取り、次をリードする。
rule-HEARTS-9 = 取ったハートは1枚1点、♠Qは13点。
rule-HEARTS-10 = そのすべてを取った席は0点、ほかの席は26点ずつ。
rule-HEARTS-11 = 最後の回が終わったら、点の最も少ない席が勝つ。同点なら勝利を分かち合う。

## できごと

note-dealt = { $of }回中の第{ $deal }回。13枚ずつ配る。
note-hand = { SEAT($seat) }の手札は { CARDS($cards) }。
note-to-pass = { $step ->
    [0] カードは渡さない。
    [1] 各自が左の席に3枚を渡す。
    [2] 各自が向かいの席に3枚を渡す。
   *[other] 各自が右の席に3枚を渡す。
}
note-passed = { SEAT($seat) }は{ SEAT($to) }に3枚を渡す。
note-passed-cards = { SEAT($seat) }は{ SEAT($to) }に { CARDS($cards) } を渡す。
note-leads-first = ♣2を持つ{ SEAT($seat) }がそれをリードする。
note-led = { SEAT($seat) }は { CARD($card) } をリードする。
note-followed = { SEAT($seat) }は { CARD($card) } でフォローする。
note-discarded = { SEAT($seat) }はリードされたスートがなく、{ CARD($card) } を出す。
note-broken = ハートが出た。ここからはハートをリードしてよい。
note-taken = { SEAT($seat) }が { CARDS($cards) } を取る。{ $points }点。
note-moon = { SEAT($seat) }はハートと♠Qをすべて取った。ほかの席は26点ずつ。
note-scored = この回は終わり。得点：{ POINTS($points) }。
note-won = 点の最も少ない{ SEATS($seats) }の勝ち。

## 反則

violation-HEARTS-2 = { SEAT($seat) }が渡した { CARDS($cards) } には、手札にないカードがある
violation-HEARTS-3 = { SEAT($seat) }は { CARD($card) } をリードした：最初のトリックは♣2で始まる
violation-HEARTS-4 = { SEAT($seat) }が出した { CARD($card) } は手札にない
violation-HEARTS-5 = { SEAT($seat) }は { CARD($card) } を出したが、{ CARD($led) } にフォローできる
violation-HEARTS-6 = { SEAT($seat) }は最初のトリックで { CARD($card) } を出したが、点のないカードを持っている
violation-HEARTS-7 = { SEAT($seat) }は { CARD($card) } をリードしたが、ハートはまだ出ていない
message-ascending = 違うカード3枚を昇順で指定する

## 盤面

zone-hand = 手札
zone-passed = 渡すカード
zone-taken = 取ったカード
zone-trick = トリック
fact-points = 得点
fact-deal = 回
mark-leads = リード
field-pass-cards = 渡す手札3枚、昇順
field-play-card = 出す手札のカード
