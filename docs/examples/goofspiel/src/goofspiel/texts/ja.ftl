### Goofspiel 日本語

game = グーフスピール
designer = メリル・フラッド

command-deal = 賞品を切る
command-bid = 入札する

option-size = 賞品の数
option-order = 賞品の順

rule-GOO-1 = 賞品を切って、または順に並べ、最初の1枚を表にする。手札は全員同じである。
rule-GOO-2 = 賞品ごとに、全員が手札から1枚を伏せて入札する。順番は問わない。
rule-GOO-3 = 全員が入札したら一斉に表にし、最も大きい札の者が賞品を得る。最大が同じなら誰も得ない。
rule-GOO-4 = 最後の賞品のあと、点の最も多い席が勝つ。同点なら勝利を分かち合うか、引き分けになる。

note-laid-out = 賞品が{ $count }枚並ぶ。最初は { CARD($prize) }。
note-bid = { SEAT($seat) }は伏せて入札する。
note-taken = 入札は { LAID($cards) }。{ SEAT($seat) }が { CARD($prize) } を得る。
note-tied = 入札は { LAID($cards) }。最大が同じなので、{ CARD($prize) } は誰も得ない。
note-prize = 次の賞品は { CARD($prize) }。
note-won = { SEATS($seats) }の{ COUNT($seats) ->
    [one] 勝ち
   *[other] 同点
}。得点：{ POINTS($points) }。

violation-GOO-2 = { SEAT($seat) }が入札した { CARD($card) } は手札にない

zone-prize = 今回の賞品
zone-prizes = 賞品
zone-hand = 手札
zone-bid = 入札
zone-shown = これまでの入札
fact-prize = 賞品
fact-points = 得点
field-bid-card = 入札する手札のカード
