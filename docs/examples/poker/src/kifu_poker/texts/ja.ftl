### クーンとレデュックのポーカー、日本語。

game = 小さなポーカー
designer = Harold Kuhn、Finnegan Southeyほか

command-deal = 配る
command-fold = 降りる
command-call = コール
command-raise = レイズ

option-variant = どちらのポーカーか：クーン（kuhn）かレデュック（leduc）

note-dealt = ふたりとも1を場に出し、カードを1枚受け取る。
note-hand = { SEAT($seat) }の手札は{ CARD($card) }。
note-fold = { SEAT($seat) }が降りた。
note-call = { SEAT($seat) }がコールした。
note-raise = { SEAT($seat) }がレイズした。
note-turned-up = { CARD($card) }が表になった。
note-shown = 手札は{ LAID($cards) }。
note-won = { COUNT($seats) ->
    [one] { SEATS($seats) }の勝ち
   *[other] { SEATS($seats) }が場を分ける
}：{ POINTS($points) }。

violation-POK-3 = { SEAT($seat) }は、払うものがないのに降りた
violation-POK-4 = { SEAT($seat) }のレイズはこのラウンドで1回多い

zone-open = 場札
zone-hand = 手札
fact-points = 点
fact-round = ラウンド
part-bet-fold = 降りる
part-bet-call = コール
part-bet-raise = レイズ

rule-POK-1 = ふたりとも1を場に出し、カードを伏せて1枚受け取る。どの賭けのラウンドも最初の席から。
rule-POK-2 = 手番ではコール（相手と同じ額にする）か、そのラウンドの額だけレイズする。
rule-POK-3 = コールに払うものがあるときは降りてもよく、場に出したものを失う。
rule-POK-4 = レイズは1ラウンドに1回、レデュックでは2回まで。レイズがコールされるか、ふたりともチェックしたら終わる。
rule-POK-5 = レデュックでは最初のラウンドの後に1枚表にする。賭けはその前が2、後が4。クーンでは1。
rule-POK-6 = 最後は場札とのペア、なければ高いカードの勝ち。同じなら分ける。
