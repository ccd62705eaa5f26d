### どのゲームにも要ることば

seat = 席{ $number }
who = { SEAT($seat) }
table = テーブル
spectator = 観戦者
nobody = なし
none = なし
yes = はい
no = いいえ
comma = 、
given = { SEAT($seat) }に{ $card }
cards = { CARDS($values) }
seats = { SEATS($values) }
owned = { OWNED($values) }

doing = { $what }:{ $how }
command-takeback = { $to ->
    [-1] 最初まで戻す
   *[other] 手順{ $to }の後まで戻す
}
note-takeback = { $to ->
    [-1] すべて取り消し、最初の場に戻す。
   *[other] 取り消し:場は手順{ $to }の後に戻る。
}

## 対局

points = { $points }点
winner = 勝ち
begins-deal = 第{ $number }ディール
begins-round = 第{ $number }ラウンド
begins-trick = 第{ $number }トリック
begins-turn = 第{ $number }手番
unseen = { $what }(内容は見えない)
abandoned = 対局はここで打ち切られた。
goes-on = 対局はまだ続く:{ SEATS($seats) }の番。
at-event = 手順{ $seq }:

## 場

fact-of = { $value }/{ $most }
face-down = 伏せ札{ $count }枚
in-all = 全{ $count }枚

## 棋譜の誤り

finding-torn = ファイルが途中で終わっている
finding-chain = 鎖が切れている
finding-form = 形が正しくない
finding-rule = ルール違反
finding-digest = 記録と違う状態
finding-result = 記録と違う結果
finding-header = ヘッダー

## どのゲームにも通じる反則

violation = { SEAT($seat) }の反則:{ $sentence }
violation-FORM = { SEAT($seat) }の手は形が正しくない:{ $why }
violation-OVER = { SEAT($seat) }が手を出したが、ゲームはもう終わっている
violation-TURN = { COUNT($asked) ->
    [0] { SEAT($seat) }の手ではない:配るのはテーブルだけで、テーブルはほかに何もしない
   *[other] { SEAT($seat) }の番ではない:いまは{ SEATS($asked) }の番
}
violation-ORDER = { SEAT($seat) }の手は順序に反する:いまは「{ COMMAND($expected) }」をするところ
violation-DEAL = { SEAT($seat) }の配ったカードが正しくない:ルールが求めるのは { $expected }
violation-SEED = { SEAT($seat) }の第{ $deal }の配りがシードと違う

## どのゲームにも通じるルール

rule-FORM = 手には決められた項目だけがあり、それぞれの型、範囲、長さ、並びが正しい。
rule-OVER = ゲームが終わった後は、どの手も認められない。
rule-TURN = 求められた席だけが行動できる。配るのはテーブルだけで、テーブルは他に何もしない。
rule-ORDER = 手は、ゲームが求めるときにだけ出せる。
rule-DEAL = 配りは、ルールの求めるカードをちょうど、それぞれの場所に持つ。
rule-SEED = シードのある対局では、どの配りもそのシードから得られるものである。

## ふりがな

readings = 手札《てふだ》 山札《やまふだ》 札《ふだ》 棋譜《きふ》 伏《ふ》 席《せき》 手番《てばん》 時計回り《とけいまわり》 裁定《さいてい》

## 一局の二通りの再生

compare-same = 相違なし:{ $steps }手順
compare-step = 手順{ $step }に相違
compare-step-doing = 手順{ $step }に相違:{ $seat }、{ $doing }
compare-more = …ほかに{ $count }項目
compare-refuses = { $side }では認められない:{ $why }
compare-refuses-by = { $side }では{ $rule }により認められない:{ $why }
compare-accepts = { $side }では認められる
compare-note = { $side }:{ $note }
compare-note-by = { $side }、{ $rule }:{ $note }
compare-then = その後:{ $what }
compare-then-later = その後:続く{ $after }手順のうち{ $count }に相違、{ $what }
compare-noise = 違うのは途中だけで、どちらも{ $end }
compare-winner = 勝者が違う:{ $two }
compare-score = 勝者は同じで点が違う:{ $two }
compare-end-refuses = 手順{ $seq }が認められない:{ $why }
compare-end-refuses-by = 手順{ $seq }が{ $rule }により認められない:{ $why }
compare-end-open = まだ結果なし
compare-end-won = { $winners }の勝ち(点 { $points })
compare-end-nobody = 勝者なし(点 { $points })
compare-and = { $one }と{ $other }
compare-stored = 保存時
compare-now = 現在
compare-side = { $side }:{ $engine }、{ $game } ルール第{ $rules }版、{ $source }
compare-here = { $source }(このエンジンで再生)
compare-by = { $source }({ $python } で再生)
