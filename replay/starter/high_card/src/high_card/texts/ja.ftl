### High Card 日本語

game = High Card
designer = 不詳

command-deal = 配る
command-lay = カードを伏せて出す

option-hand = 各席に配る枚数

## ルール

rule-HC-1 = 各席に手札を配る。30枚の残りは伏せたままにする。
rule-HC-2 = 全員が手札から1枚を伏せて出す。順番は問わない。
rule-HC-3 = 全員が出したら一斉に表にし、最も大きいカードが1点を得る。
rule-HC-4 = 手札がなくなったら、点の最も多い席が勝つ。同点なら勝利を分かち合う。

## できごと

note-dealt = 各席に{ $cards }枚を配る。
note-hand = { SEAT($seat) }の手札は { CARDS($cards) }。
note-laid = { SEAT($seat) }はカードを1枚伏せて出す。
note-turned-up = 全員のカードを表にする：{ LAID($cards) }。最も大きいのは { CARD($card) } で、{ SEAT($seat) }が1点を得る。
note-won = { SEATS($seats) }の勝ち。得点：{ POINTS($points) }。

## 反則

violation-HC-2 = { SEAT($seat) }が出した { CARD($card) } は手札にない

## 盤面

zone-hands = 手札
zone-laid = 伏せたカード
zone-turned = 表のカード
zone-rest = 残りのカード
fact-points = 得点
field-lay-card = 出す手札のカード
