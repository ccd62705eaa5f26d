### Reversi 日本語

game = リバーシ
designer = 不詳

command-place = 石を置く
command-pass = パスする

option-size = 一辺のマス数

rule-REV-1 = 中央に黒石と白石を2個ずつ互い違いに置く。席0が黒で、先手である。
rule-REV-2 = 空いたマスのうち、相手の石を挟めるところに石を1個置く。
rule-REV-3 = 置いた石と自分の別の石の間に、縦・横・斜めの8方向で挟んだ相手の石は、すべて裏返す。
rule-REV-4 = どこにも挟めない者はパスをする。挟める者はパスできない。
rule-REV-5 = どちらも挟めなくなったら終わり。石の多い方が勝つ。同数なら引き分け。

note-set-up = 盤を並べる。{ SEATS($seats) }が黒と白を持つ。
note-placed = { SEAT($seat) }は { $space } に石を置く。
note-turned = { $count }個を裏返す：{ POINTS($points) }。
note-passed = { SEAT($seat) }はパスする。
note-won = { COUNT($seats) ->
    [one] { SEATS($seats) }の勝ち
   *[other] 引き分け
}。石の数：{ POINTS($points) }。

violation-REV-2 = { SEAT($seat) }は { $space } に石を置けない。そこでは何も挟めない
violation-REV-4 = { SEAT($seat) }は石を置けるのにパスした

zone-board = 盤
fact-discs = 石
mark-black = 黒
mark-white = 白
part-pass-turn = パス
field-place-space = 石を置くマス。例：d3
field-space = マス
