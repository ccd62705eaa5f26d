### コマンドラインの日本語

# 対局
options = 設定 { $chosen }
recorded = 対局 { $match }、{ $started }記録 { $engine }、ルール第{ $rules }版
seen-by = { $viewer }から見たもの
step = 手順 { $seq }(全{ $of })

# ゲームとルール
rulings = ルールブックにない所の、私たちの裁定
table-rules = どのゲームにも通じるルール
seats-from-to = { $least }~{ $most }人
seats-exactly = { $least }人
rules-version = ルール第{ $version }版
option = 設定
command = 手
coverage = 棋譜{ $logs }つで、{ $all }のルールのうち{ $shown }が働いた
steps-count = { $count }回
never = なし

# 模擬対局
simulated = { $title } { $games }局、{ $events }手、保存先 { $folder }
simulated-wins = 勝ち数 { POINTS($wins) }
simulated-seed = 同じ対局をもう一度:--seed { $seed }

# 書き出し
exported = 手順{ $steps }、視点 { $viewer }、{ $size } kB
exported-all = 全員

# 値が変わった所
when-start = 開始時
when-true = 成り立つ
when-false = 成り立たなくなる
when-absent = (ない)
when-never = 一度もない:{ $expression }

# 名前を消した棋譜
scrubbed = { $events }手、問題なし
scrubbed-shows = { $events }手、{ $shows }を示す
scrubbed-left = 元の棋譜の次の損傷は含まない: { $what }

# 変更の影響
impact-untouched = 変わらない
impact-illegal = { $rule }により違反になる
impact-legal = { $rule }の違反だったが認められる
impact-other-rule = 別のルール{ $rule }の違反になる
impact-form = 形が正しくないとされるか、されなくなる
impact-winner = 勝者が変わる(または決まらなくなる)
impact-score = 勝者は同じで点が変わる
impact-noise = 終わりは同じで途中が変わる
impact-shortest = 最も短いもの({ $events }手)は手順{ $step }から変わる
impact-shortest-start = 最も短いもの({ $events }手)は開始時から変わる
impact-compared = 棋譜{ $count }つを比べた
impact-others = この設定のないゲームの棋譜{ $count }つ
impact-skipped = 除外
impact-skipped-more = ほかに{ $count }つ除外

# 短くした棋譜
shrunk = { $before }手のうち{ $events }手、{ $shows }を示す
parting-rule = { $rule }の働き
parting-refused = ここでは認められ、向こうでは{ $theirs }に反する手
parting-accepted = ここでは{ $ours }に反し、向こうでは認められる手
parting-rules = ここでは{ $ours }、向こうでは{ $theirs }に反する手
parting-fields = { LIST($names) }の違い
parting-notes = { LIST($names) }による説明の違い
shrunk-shortest = 同じディールでこれより短い対局はない({ $tries }回試した)。
shrunk-none = これ以上短くする手立てはない({ $tries }回試した)。
shrunk-tries = { $tries }回で打ち切った。--triesを増やせば短くなるかもしれない。
shrunk-seconds = { $tries }回試した所で時間切れ。--secondsを増やせば短くなるかもしれない。
