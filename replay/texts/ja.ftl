### コマンドラインの日本語

# 対局
options = 設定 { $chosen }
recorded = 対局 { $match }、{ $started }記録 { $engine }、ルール第{ $rules }版
seen-by = { $viewer }から見たもの
step = { $seq }手目（全{ $of }手）

# ゲームとルール
rulings = ルールブックにない所の、私たちの裁定
table-rules = どのゲームにも通じるルール
seats-from-to = { $least }~{ $most }人
seats-exactly = { $least }人
rules-version = ルール第{ $version }版
option = 設定
command = 手
lesson-facts = { $seats }・{ $minutes }分・{ $difficulty }
lesson-example-key = 左は対局の何手目か、右はルールの番号です。
lesson-difficulty-1 = かんたん
lesson-difficulty-2 = ふつう
lesson-difficulty-3 = やや難しい
coverage = 棋譜{ $logs }件で、{ $all }のルールのうち{ $shown }が働いた
steps-count = { $count }回
never = なし

# 新しいゲーム
new-game-written = { $file }：{ $title }。ルールの番号は{ $prefix }-1、{ $prefix }-2など
new-game-next = このまま遊べる。次にすること：

# 検査
audit-fine = 異常なし
audit-wrong = 異常あり
audit-unread = ？
audit-no-log = 棋譜ではない
audit-events = { $events }手
rating-line = { $mu }（{ $low }~{ $high }、{ $matches }局、配り{ $deals }回）
rating-group = 以下は上のどれとも、共通の相手とも対局していない。組の間では比べられない：
rating-left-out = 除いた対局：{ $count }局（破損、結果なし、または名前のない席）
audit-rewards = 報酬{ $rewards }
audit-points = 点 { $points }
audit-won = { COUNT($seats) ->
    [0] 勝者なし
   *[other] { SEATS($seats) }の勝ち
}
audit-shared = 全席が同じ結果
audit-unfinished = 終局していない
audit-unchecked = ダイジェストは別の版式のもので、比べていない
audit-at-event = { $seq }手目、{ $what }
audit-fair = 公平な配り
audit-host-key = ホストの鍵{ $key }
audit-played-for = 席{ $seat }：{ $by }が代わりに{ $count }手（署名なし）
audit-left-out = 確かめていない：{ $what }
audit-total = 棋譜{ $logs }件：異常なし{ $fine }、異常あり{ $found }

# 席の記録

verify-fine = 一致
verify-partial = 一部だけ一致
verify-covers = { $first }~{ $last }手目
verify-over = 終局
verify-by-consent = 署名する全員の合意で中止
verify-called-off = 結果なしで終了（署名する全員の署名した合意はなし）
verify-signed = ホストの署名あり
verify-unsigned = ホストの署名なし
verify-code = 合い言葉 { $code }
verify-proof = { $host }（鍵{ $key }）の署名どうしが食い違っている：誰に対しても証拠になる。
verify-proof-unknown = 鍵{ $key }による署名どうしが食い違っている。それがホストの鍵である場合に限り、ホストに対する証拠になる。
verify-key = ホストの鍵 { $key }：{ $host }
verify-key-unknown = ホストの鍵 { $key }：ホストが公表している鍵と比べること
verify-unchecked = 比べていない：{ $what }
verify-gap = 知らされていない：{ $first }~{ $last }手目
verify-by-owner = これはファイルの持ち主の言い分で、署名どうしの食い違いではない。
verify-by-seat = 食い違う署名は席のもので、ホストのものではない。
verify-attempt = { $attempt }回目の試みで配られた。それまでに拒んだとされる席：{ $seats }
verify-refused = 席{ $seat }（{ $times }回）
verify-log-signed = この棋譜：ホストの署名あり
verify-log-unsigned = この棋譜：誰の署名もなし
verify-public = 公開の形は{ $file }に書いた

# 手本の棋譜
golden-game = { $game }：棋譜{ $logs }件、{ $summary }
golden-count = { $what }{ $count }
golden-the-same = 一致
golden-different = 相違
golden-blessed = 更新
golden-unusable = 使えない棋譜
golden-refused = 保存せず
golden-due = 古い棋譜は約束。ルールの版を上げて読み替えを書く（docs/change-a-rule.md）か、この棋譜の名前を--anywayに続けて書く。
golden-stored-first = { $file }を初めて保存
golden-stored-anew = { $file }を保存し直した

# 二通りの再生、二つの棋譜
diff-total = 棋譜{ $logs }件
diff-count = { $what }{ $count }
log-diff-header = ヘッダーの{ $key }：A { $one }  B { $other }
log-diff-event = { $seq }手目に相違
log-diff-more = その後：ほかに{ $count }手に相違
log-diff-end = 終わり：A { $one }  B { $other }
log-diff-none = 相違なし：{ $events }手
log-diff-absent = その手がない
log-diff-over = 終局
log-diff-abandoned = 中止
log-diff-open = 印なし

# 模擬対局
simulated = { $title } { $games }局、{ $events }手、保存先 { $folder }
tournament-unfinished = 結果なし（集計外）{ $games }局
simulated-seed = 同じ対局をもう一度：--seed { $seed }

# 書き出し
exported = { $steps }手、視点 { $viewer }、{ $size } kB
exported-all = 全員

# 値が変わった所
when-start = 開始時
when-true = 成り立つ
when-false = 成り立たなくなる
when-absent = （ない）
when-never = 一度もない：{ $expression }

# 対局の分析
analyse-head = それぞれの席が知っていたことだけから見た勝率です。比べた想定局面は{ $pairs }。◆は大きく損をした手です。
analyse-better = よりよい手：{ $command }{ $gain ->
    [0] {""}
   *[other] 、+{ $gain }
}
analyse-turning-points = 分かれ目
analyse-no-turning-points = ありません：席が知り得た限り、大きく損をした手はありません。
analyse-reason-chance = よりよい手：{ $command }。勝率は{ $best }で、この手では{ $played }です。
analyse-reason-lead = よりよい手：{ $command }。平均して、より差をつけて終わります。
analyse-reason-points = その手なら{ $seat }の最後の点は平均{ $best }で、この手では{ $played }です。
analyse-reason-notes = 起きたこと：
analyse-none-better = 席が知り得た限り、これより明らかによい手はありません。勝率は{ $played }です。
analyse-not-compared = 比べられません：席が知らなかったことで結果が決まります。
analyse-seats = 席ごと
analyse-seat = 選択{ $decisions }回、◆{ $swings }回、一回に失った勝率は平均{ $lost } %

# 名前を消した棋譜
anonymized = { $events }手、問題なし
anonymized-shows = { $events }手、{ $shows }を示す
anonymized-left = 元の棋譜の次の損傷は含まない：{ $what }

# 変更の影響
impact-shortest = 最も短いもの（{ $events }手）は{ $step }手目から変わる
impact-shortest-start = 最も短いもの（{ $events }手）は開始時から変わる
impact-shortest-of = 最も短いもの（{ $events }手）
impact-compared = 棋譜{ $count }件を比べた
impact-others = この設定のないゲームの棋譜{ $count }件
impact-first = { $effect }（最初の相違は{ $cause }）
impact-refused = { $effect }（{ $rule }による）
impact-leak = { $effect }、{ LIST($viewers) }への漏れ
impact-raised = { $effect }：{ $cause }
impact-unreached = { $game }：どの棋譜にも現れないルール { $rules }
diff-engines = A：{ $ours }　B：{ $theirs }
impact-looked = 見えるもの、説明、合法手、拒否を比べたのは{ $steps }手順のうち{ $looked }
impact-fast = --fast：比べたのは結果と拒否だけで、途中は比べていない
impact-seek = どの棋譜にも変化が現れない。ほかの対局なら現れるかもしれない：replay seek { $game } --engine { $python }
impact-same = { $game }はファイルの中にあり、両方がそれで遊ぶ。別の版を渡す：--engine OTHER.py

# 短くした棋譜
shrunk = { $before }手のうち{ $events }手、{ $shows }を示す
divergence-rule = { $rule }の働き
divergence-refused = ここでは認められ、向こうでは{ $theirs }に反する手
divergence-accepted = ここでは{ $ours }に反し、向こうでは認められる手
divergence-fails = 向こうのエンジンが例外を起こす手
divergence-rules = ここでは{ $ours }、向こうでは{ $theirs }に反する手
divergence-fields = { LIST($names) }の違い
divergence-notes = { LIST($names) }による説明の違い
shrunk-shortest = 同じディールでこれより短い対局はない（{ $tries }回試した）。
shrunk-none = これ以上短くする手立てはない（{ $tries }回試した）。
shrunk-tries = { $tries }回で打ち切った。--triesを増やせば短くなるかもしれない。
shrunk-seconds = { $tries }回試した所で時間切れ。--secondsを増やせば短くなるかもしれない。

# 相違の探索
seek-parted = { $count }局目でエンジンが分かれた
seek-tries = { $count }局で相違なし。--triesを増やせば見つかるかもしれない
seek-seconds = 時間切れまでの{ $count }局で相違なし。--secondsを増やせば見つかるかもしれない
seek-unreached = どの対局にも現れなかったルール { $rules }
seek-written = 対局：{ $file }

# 多くの対局の統計
stats-title = { $title }、{ $seats }人
stats-logs = { $logs }局（終局{ $finished }{ $others }）
stats-abandoned = 中止{ $count }
stats-going-on = 対局中{ $count }
stats-draws = 引き分け（誰の勝ちにも数えない）：{ $count }
stats-lost = 全員の負け：{ $count }
stats-shared = 勝利を分け合った対局{ $count }（それぞれの勝ちに数える）
stats-team = チーム{ $team }：{ $of }局中{ $count }勝
stats-length-same = どの対局も{ $least }手。
stats-length = 一局の手数は中央値{ $median }、半数が{ $lower }~{ $upper }、全体では{ $least }~{ $most }。
stats-events = 手数
stats-seat = 席
stats-won = 勝ち
stats-rate = 勝率
stats-sure = 95%信頼区間
stats-low = 下限
stats-high = 上限
stats-points = 点
stats-mean-points = 平均点
stats-least = 最小
stats-quartiles = 四分位
stats-most = 最大
stats-matches = 対局
stats-each = 一局あたりの手順
stats-rule = ルール
stats-says = 内容
stats-left = 除外
stats-left-more = ほかに{ $count }件除外
stats-charts = { $file }：図
stats-page-title = 対局の統計
stats-numbers = 数値
stats-save = 図を保存
stats-save-as = { $kind }で保存
stats-chart-wins = 席ごとの勝率
stats-chart-wins-more = { $matches }局中。帯は95%信頼区間、破線は平均
stats-chart-points = 席ごとの最終得点
stats-chart-points-more = その得点で終わった対局の数
stats-chart-lengths = 一局の長さ
stats-chart-lengths-more = その手数で終わった対局の数
stats-chart-rules = ルールの働いた回数
stats-chart-rules-more = そのルールで何かが決まった手順の数（一局あたり）

# イベントの表
table-events = { $file }：{ $count }手
table-matches = { $file }：{ $count }局

# ステッパー
store-check = { $address }：{ $count }局を検査。{ $problems ->
    [0] すべて正常
   *[other] 問題あり：{ $problems }局
}
store-copy = { $address }：{ $count }局を複写。{ $problems ->
    [0] すべて正常
   *[other] できなかったもの：{ $problems }局
}
store-expire = { $address }：{ $count }局を削除。{ $problems ->
    [0] {""}
   *[other] できなかったもの：{ $problems }局
}
store-export = { $address }：{ $count }局の棋譜を書き出した。{ $problems ->
    [0] すべて正常
   *[other] できなかったもの：{ $problems }局
}
store-import = { $address }：{ $count }局の棋譜を読んだ。{ $problems ->
    [0] すべて取り込んだ
   *[other] 受け付けなかったもの：{ $problems }局
}
store-witness = { $address }：対局中{ $count }局。{ $problems ->
    [0] すべて新しい版のルールで続けられる
   *[other] 新しい版に備えられなかったもの：{ $problems }局
}
store-rules = 古い版のルールで始まった対局：続くもの{ $going }局、終わるもの{ $ended }局、そのまま残るもの{ $left }局
match-steps = { $count }手
match-goes-on = 対局中
match-draw = 引き分け
match-lost = 全員の負け
stepper-logs = 対局の一覧
stepper-logs-keys = { $count }局 · Enter：開く、Esc：終了
stepper-start = 最初の手の前
stepper-to-act = { SEATS($seats) }の番
stepper-narrower = 見えないものがある
stepper-narrow = 入力して絞り込む
stepper-sealed = { SEAT($seat) }から見えたものだけを表示している（--asの指定）。
stepper-no-rule = この手で示されるルールはない。
stepper-no-section = その先に区切りはない。
stepper-no-wrong = その先に誤りはない。
stepper-no-step = { $typed }：その手はない。0から{ $last }までを入力する。
stepper-not-found = { $words }：その先には見つからない。
stepper-jump = 何手目へ飛ぶか
stepper-search = できごとを検索
stepper-key-steps = 1手戻る・進む（押し続けると走る）
stepper-key-sections = 前・次の区切りへ
stepper-key-ends = 最初・最後へ
stepper-key-jump = 何手目かを入力して飛ぶ
stepper-key-search = できごとを検索
stepper-key-found = 前・次の見つかった所へ
stepper-key-wrong = 前・次の反則へ
stepper-key-seat = 次・前の視点へ
stepper-key-why = この手のルール
stepper-key-scroll = 説明・場をスクロール
stepper-key-help = このヘルプ
stepper-key-quit = 終了
stepper-help-mouse = マウスでは、手、席の名前、ルールの番号、最下行のキーを押せる。
stepper-hint-steps = 手
stepper-hint-sections = 区切り
stepper-hint-search = 検索
stepper-hint-seat = 視点
stepper-hint-why = ルール
stepper-hint-help = ヘルプ
stepper-hint-quit = 終了

# 提供
serves = { $store } の対局を { $address } で提供中（Ctrl-Cで終了）
serves-open = TLSのプロキシを前に置く前提です（docs/deploy.md）。このアドレスに部外者が直接届かないようにしてください。
serves-signed = 示す内容に署名する：鍵{ $key }（{ $public }）

# 呼び出しの誤り
message-address-unusable = { $address }：{ $why }
message-always-the-same = { $text }：どの手順でも同じ値になる。次のどれかを使う：{ $known }
message-cannot-list = { $address }：一覧を読めない：{ $why }
message-cannot-listen = { $host }:{ $port }で待ち受けられない：{ $why }。--portで別の番号を指定する
message-cluster-failed = --cluster { $address }：{ $why }
message-cluster-no-scheduler = --cluster { $address }：{ $kind }ではなく、スケジューラーのアドレスを指定する
message-compare-two = 比べるものは二つ：A B、またはA --engine PYTHON。エンジンは二つまで
message-learn-alone = --learnと一緒に指定できるのは--lang、--json、--plainだけ
message-no-lesson = { $game }には遊び方の説明がない。説明のあるゲームを指定する
message-coverage-with-logs = --coverageと棋譜は一緒に指定する：replay rules GAME --coverage LOG…
message-nothing-to-compare = { $a }と{ $b }に*.logも*.traceもない
message-file-there = { $file }：すでにある。別の名前を指定する
message-file-unusable = { $file }：使えない：{ $why }
message-first-or-last = --firstと--lastはそれぞれ一回を指す。どちらか一つにするか、すべて見るなら両方外す
message-jobs-or-cluster = --jobsはこのコンピューターのプロセス、--clusterはほかのコンピューター。どちらか一つを指定する
message-log-of-other-game = { $game }ではなく{ $found }の棋譜
message-no-such-own-seat = --seat { $asked }：0から{ $last }を指定する
message-mcp-no-key = 席の鍵を環境変数{ $name }に置く
message-no-reward = --rewards { $asked }：次のどれかを指定する：{ $known }
message-log-there = { $file }：すでにある。別のフォルダーか別のシードを指定する
message-no-difference = 違いがなく、短くするものがない
message-interrupted = 中断した
message-interrupted-run = 中断した。同じ対局をもう一度行うには --seed { $seed }
message-no-file-name = { $asked }：ファイル名ではない
message-file-unwritable = { $file }：書けない：{ $why }
message-new-game-name = { $name }：小文字、数字、_の名前を指定する。high_cardのように、文字で始める
message-new-game-taken = { $name }：同じ名前のゲームが導入済み。別の名前を指定する
message-new-game-module = { $name }：同じ名前のPythonのモジュールがある。別の名前を指定する
message-no-folder = { $folder }：そのフォルダーはない。手本の棋譜のフォルダーを指定する
message-anyway-alone = --anywayは--blessと一緒に使う：壊れても保存する棋譜の名前
message-anyway-whom = --anyway { $name }：フォルダーに{ $name }.logがない
message-no-golden-logs = { $folder }に*.logがない。手本の棋譜のフォルダーを指定する
message-no-kind-of-chart = -o { $file }：図は一つのページに書く。.htmlで終わる名前を指定する
message-no-logs = { $folder }に*.logがない。棋譜か、棋譜のあるフォルダーを指定する
message-no-option = { $game }に設定{ $option }はない。あるもの：{ $known }
message-no-seat = --as { $asked }：その席はない。0から{ $last }まで、一つの席だけの名前、またはspectatorを指定する
message-no-seed = --seed { $asked }：整数か{ $digits }桁の16進数を指定する
message-no-step = { $option } { $asked }：その手順はない。この棋譜は0から始まる{ $events }手
message-no-value = { $text }：「{ $name }」はない。あるもの：{ $known }
message-not-without-seed = { $log }：シードを除いた対局では示せず、短くできない
message-nothing-between = --from { $first } --to { $last }：その間に手順はない。小さい番号を先に指定する
message-nothing-compared = 比べられるものがない：{ $log }：{ $why }
message-nothing-to-write = 書けるものがない：{ $log }：{ $why }
message-nothing-counted = 数えられるものがない：{ $log }：{ $why }
message-analysis-unfinished = 対局が終わっていない。分析は終わってから
message-only-with-bots = --duplicateには--botsが要る
message-other-file-there = { $file }：すでにあり、以前の{ $what }ではない。別の名前を指定する
message-a-trace = トレース
message-an-export = 書き出し
message-charts = 図のファイル
message-an-analysis = 分析
message-no-process = 仕事をするプロセスを起動できない（{ $why }）。--jobs 1を試す
message-process-killed = 仕事をするプロセスが落ちた。メモリ不足かもしれない：--jobs 1を試す
message-refused-here = このエンジンが棋譜の手を認めない。--ruleで短くするか、もう一方のエンジンでreplayを動かす
message-verify-fork-what = --parentには棋譜を一つ、または記録を一つと--against LOGを渡す
message-verify-what = 記録を一つ（そのまま、または--against LOGとともに）か、二つ渡す
message-no-mark = 時点{ $moment }の印はない：記録されたものからは分からない
message-rule-not-at-work = { $rule }に反する手も、それによる説明も棋譜にない。何があるかはreplay auditとreplay showで分かる
message-step-or-several = --stepは一つの手順、--fromと--toは範囲を指す。どちらか一方にする
message-too-many-bots = --bots：ボットが{ $count }。席の数の{ $seats }まで。残りは別の呼び出しで対局し、棋譜をまとめて評価する
message-unprintable-bots = --bots { $bots }：表示できない文字がある。表示できる名前を指定する
message-trace-by-engine = { $file }：トレースはエンジンでは動かせない。元の棋譜を指定する
message-trace-no-text = トレースはバイナリー。-oでファイルを指定するか、出力をファイルへ送る
message-two-games = 別のゲームの棋譜は比べられない：一方は{ $one }、もう一方は{ $other }
message-what-to-compare = 比べる相手を指定する：--option NAME=VALUEか--engine PYTHONのどちらか一つ
message-rule-or-options = 示すものとして、規則か、別のオプションの値を指定する
message-what-to-show = 示すものを指定する：--rule ID、--option NAME=VALUE、--engine PYTHONのどれか一つ
message-worker-differs = ワーカー { $worker } は{ $has }、仕事は{ $asked }用。同じものをそこに入れる
message-worker-lacks = { $name }なし

# 式の誤り
message-expression-wrong = { $text }：{ $letter }文字目：{ $why }
message-more-expected = ここにはパス、数、'文字列'のどれかが要る
message-does-not-fit = { $text }：{ $value }にこれは問えない
message-no-meaning = ここでは読み取れない
message-never-closed = 閉じる記号がない
message-write-equals = 比べるには == と書く
message-expression-too-long = 式が{ $letters }文字ある。読めるのは{ $most }文字まで
message-no-part = { $text }：その中に「{ $name }」はない。あるもの：{ $known }
message-no-condition = { $value }は条件ではない。何かと比べる
message-a-list = 長さ{ $length }の並び
message-a-part = 部分

# ファイル、設定、ゲーム、ボット
message-log = { $file }：{ $why }。{ $hint }
message-unwritable = 書けない：{ $why }
message-hint-room = 空きを作って、もう一度呼び出す
message-hint-file = 名前を確かめる
message-export-ending = -o { $file }：.htmlか.jsonで終わる名前にするか、--formatで形式を、または棋譜なら--anonymousを指定する
message-anonymous-alone = --anonymousは棋譜を書く。一緒に指定できるのは-o FILE.log、--lang、--json、--plainだけ
message-json-anonymous = --jsonは名前のない棋譜について述べる。--anonymousと一緒に指定する
message-analyse-alone = --analyseと一緒に指定できるのは--analysis、--pairs、--lang、--json、--plainだけ
message-show-several = { $option }は一つの棋譜のためのもの：棋譜を一つ指定する（{ $count }個ある）
message-hint-newer = 新しい版のkifuかゲームを導入する
message-hint-header = この版式の、導入済みのゲームの棋譜を指定する
message-hint-audit = 詳しくはreplay auditで分かる
message-option-form = 設定{ $option }：NAME=VALUEの形で指定する
message-option-twice = 設定{ $option }：二度指定されている
message-no-game = ゲーム{ $game }：導入されていない。あるもの：{ $known }
message-seat-and-bot = --bot { $asked }：1=normalのように席とボットを指定する
message-no-bot = ボット{ $bot }：導入されていない。あるもの：{ $known }
show-as-text = { $why }。文字で表示する
message-no-rule = ゲーム{ $game }：ルール{ $rule }はない
message-no-site = --origin { $origin }：サイトではない。https://friends.example の形で、ポートがあればそれも付けて指定する
message-not-its-beginning = すでにあり、その内容はこの棋譜の始まりではない
message-expire-what = expire には --finished-days、--open-days、--going-days のどれかを指定する
message-no-store-there = { $store }：そのような保管庫はない
message-no-host = --allow-host { $name }：名前ではない。https:// とポートを付けずに指定する
message-limit-form = --set-limit { $typed }：NAME=数 の形ではない

# コマンドに入る前の誤り
message-usage = { $why }（使い方は{ $command } --help）
message-option-near = { $option }：そのオプションはない。もしかして：{ $known }
message-verb-near = { $verb }：そのコマンドはない。もしかして：{ $known }
message-which-verb = することを指定する。次のどれか：{ $known }
message-option-none = { $option }：そのオプションはない
message-option-needs = { $option }：値が指定されていない
message-option-without = { $option }：値を取らない
message-missing = { $what }が指定されていない
message-no-verb = { $verb }：そのコマンドはない。あるもの：{ $known }
message-too-much = { $extra }：引数が多すぎる
message-bad-value = { $what }：{ $kind }を指定する
message-one-of = 次のどれか（{ $known }）
message-a-file-name = ファイル名
message-whole-number = 整数
message-whole-number-from = { $least }以上の整数
message-whole-number-between = { $least }~{ $most }の整数
message-number = 数
message-number-from = { $least }以上の数
message-seconds = { $least }~{ $most }の秒数
message-bug = kifuの不具合。作者に知らせてほしい：{ $error }{ $at }
message-game-bug = ゲームのプログラムが失敗した：{ $error }{ $at }

# エンジン、置き場所、そのほか
message-answer-without-trace = 答えにトレースがない
message-closed-output = 出力を閉じた
message-writing-parquet = Parquetの書き出し
message-seek-engines = このエンジンと比べる--engine PYTHONを一つ、または二つ指定する
message-engine-here = このエンジン
message-no-table = { $file }：.parquetで終わる名前を指定する
message-number-too-large = 64ビットに収まらない数がある
message-drawing-charts = 図の作成
message-ended-by = シグナル{ $signal }で終わった
message-ended-with = 終了コード{ $code }で終わった
message-engine-failed = この棋譜を使えない：{ $why }
message-hangs = --timeoutの時間内に答えがない
message-last-words = { $ended }：{ $line }
message-long-answer = 答えが{ $most }バイトより長い
message-no-folder-made = フォルダーを作れない：{ $why }
message-no-kifu-there = そこにトレースを作れるkifuがない：{ $line }
message-not-started = 起動できない：{ $why }
message-other-protocol = プロトコルの版が{ $given }で、{ $known }ではない
message-rubbish = 答えではないものを出力する
message-the-stepper = 全画面のステッパー
message-trace-of-another = 答えのトレースは別の棋譜のもの
message-two-files = { $one }と{ $other }
message-unusable-trace = 答えのトレースを使えない：{ $why }
message-what-is-at = { $address }の読み込み
message-compare-here = { $source }（このエンジンで再生）
message-compare-by = { $source }（{ $python } で再生）

# 使い方（--help）。英語の文はソースにある
manual-some-options = [オプション]
manual-required = （必須）
manual-default = （既定値 { $value }）
manual-usage = 使い方：
manual-arguments = 引数
manual-options = オプション
manual-example = 例：
manual-any-version = 版を表示する。
manual-any-help = この使い方を表示する。
manual-group-look = 見る
manual-group-check = 検査する
manual-group-compare = 比べる
manual-group-many-logs = 多くの棋譜
manual-group-live = 進行中の対局
manual-group-create = 作る
manual-group-actions = 操作
manual-replay = テーブルゲームの棋譜を再生し、説明し、検査する。

manual-show-short = 対局を一手ずつ示す。
manual-show =
    対局を一手ずつ示す：何が、どのルールによって起きたか、場に何があったか。

    端末では全画面でたどる（`?`でキーの一覧）。パイプの先や、文字で出すオプションがあるときは文字で示す。

    傷んだ棋譜は最初の誤りまでを示し、その後に誤りの内容を示す。終了コードは1になる。棋譜が二つ以上なら、順に示す。

    --analyseを付けると、それぞれの選択を、その席の知り得た最善の手と比べ、対局の分かれ目を挙げる。選ばれた手と最善の手を、その席の見てきたことすべてに合う同じ想定局面から終わりまで進め、勝率と、その差の95 %信頼区間を示す。席の知り得なかったことは数えない。同じ呼び出しは同じバイトになる。選択は調べ終わるたびに示し、端末で進み具合が出ているときは最後にまとめて示す。
manual-export-short = 対局をページ、データ、名前のない棋譜として書き出す。
manual-export =
    対局を、誰でもオフラインで開いてたどれる一つのページに書き出す。ほかのプログラムのためのJSONにもできる。

    --asがなければ、テーブルと各席から見えたものすべて、伏せたカードまでが入る：渡すのは対局が終わってからにする。--asがあれば、その席から見えたものだけが入り、隠れたカードもシードもダイジェストも、どんな形でも入らない。

    --analyseがあれば、それぞれの選択の価値を、その席が知っていたことだけから示し、分かれ目を並べる。--asとともになら、その席の選択だけを示す。終わっていない対局は分析しない。

    --anonymousを付けると棋譜として書き出す。不具合の報告の棋譜を手本の棋譜にするときなどに使う。席は「seat 0」などになる。対局のid、始まり、エンジン、分岐の元の対局、各手の時刻とidと行為者、知らないキーはすべて除く。ルールの版、設定、シード、手、ダイジェスト、終わりは残す。新しい棋譜は最初に拒まれた手で終わり、その反則だけを示す。ほかの損傷は除き、そのことを報告する。

    傷んだ棋譜は最初の誤りまでを、誤りの内容とともに書き出す。終了コードは1になる。
manual-audit-short = 棋譜をルールに照らして再生し、誤りを報告する。
manual-audit =
    棋譜をルールに照らして再生し、誤りをすべて、反したルールの番号で報告する。

    終了コード 0：異常なし、1：異常あり、2：棋譜ではないか、読めないファイルがある。
manual-verify-short = 席の記録を棋譜や別の席の記録と照らし合わせる。
manual-verify =
    席の記録を対局の棋譜に、または二つの席の記録を互いに照らし合わせる。

    --against LOGを付けると、棋譜がその席の見た対局とバイト単位で同じかを調べる。記録が二つなら、ホストが両方の席に同じ経過を伝えたかを調べる。公開の形で足り、対局の途中でもよい。記録が一つなら、それだけで分かることを調べる。合い言葉はその時点までのすべてを表す：読み上げて同じなら、同じ経過である。記録の代わりに棋譜を渡し、--parent LOGを付けると、その対局の分岐かを調べる。

    ホストの鍵は指紋で示す。--host-keyは知っている鍵と比べる。

    終了コード 0：一致、1：異常あり、または（--partialがなければ）一部だけ一致、2：記録や棋譜ではないか、読めないファイルがある。
manual-verify-records = 席の記録（*.seat）。二つなら同じ対局のもの。
manual-verify-against = ホストが渡した、記録されたままの棋譜。
manual-verify-public_form = 札の見えない形を書き出す。すでにあるファイルには書かない。
manual-verify-moment = N手の後の合い言葉。なければ最後の時点のもの。
manual-verify-parent = 分岐した対局のもとになった対局の棋譜。
manual-verify-host_key = 知っているホストの鍵か、その指紋。違う鍵なら問題になる。
manual-verify-partial = 確かめていないことや知らされていないことがあっても、終了コードを0にする。
manual-diff-short = 二つの再生がどこで分かれ、それが結果に響いたかを示す。
manual-diff =
    二つの再生が分かれる所を示す：手順、違う項目のすべて、それぞれが挙げるルール、終わり方。

    比べるものはそれぞれ、このエンジンか--engineで再生する棋譜、またはトレース。二つの棋譜は手順ごとに比べる。棋譜一つと--engineでは、このエンジンとそのエンジンを比べる。フォルダーならその中の棋譜をすべて比べる。終了コード 0：相違なし、1：相違あり、2：使えないものがある。
manual-mcp-short = アシスタントに席を渡す（Model Context Protocol）。
manual-mcp =
    アシスタントに席を渡す：標準入出力で、Model Context Protocolのサーバーとして対局を出す。

    ツールはrules、look、act、find。シードと棋譜は、対局が終わるまでどの答えにも入らない。リンクを指定すると席は`replay serve`のその対局のもので、鍵は環境変数KIFU_KEYに置く。
manual-rate-short = 棋譜から、プレイヤーのレーティングを出す。
manual-rate =
    棋譜の対局のプレイヤーを、meta.byの名前で評価する。

    すべての対局に一度に当てはめたブラッドリー・テリー模型で、イロ点。95 %区間は配りごとのブートストラップによる。棋譜の順序は影響しない。破損した対局、結果のない対局、名前のない席のある対局は除く。終了コード 0：すべて読めた、2：棋譜ではないか読めないファイルがある。
manual-trace-short = エンジンによる棋譜の再生を書き出す。
manual-trace =
    エンジンが棋譜から計算したものを書き出す：各手の後の状態、説明、結果、拒否。

    形式はmsgpackの並び（docs/trace-format.md）。合法手や見えるものなど、エンジンが作るほかのすべては、ダイジェストで入っている。
manual-golden-short = 手本の棋譜を、保存したトレースと照らし合わせる。
manual-golden =
    フォルダーの棋譜をそれぞれ、そばに保存したトレースNAME.traceと検査の結果NAME.jsonに照らし合わせる。

    --blessを付けると、変わったものを保存する。その前に、付けずに変化を見ておく。検査を通らなくなった棋譜や、終わり方の変わった棋譜はそのまま残す。記録された手は約束なので、ルールの版を上げるか、その名前を--anywayに続けて書く。終了コード 0：変化なし、またはすべて保存した、1：変化あり、または保存しなかった、2：使えない棋譜がある。
manual-rules-short = ゲームのルールを番号順に表示する。
manual-rules =
    ゲームのルールを番号順に、続けて私たちの裁定と、どのゲームにも通じるルールを表示する。

    --learnを付けると、代わりに遊び方を示す：目的、カード、手番、例、得点、こつ。--coverageを付けると、それぞれのルールが棋譜のいくつの手順で働いたかを示す。終わりの拒まれた手も数える。終了コード 0：すべて数えた、2：そのゲームの棋譜ではないか読めないファイルがあり、除外した。
manual-games-short = ゲームと、その設定と手の一覧。
manual-games =
    ゲームを、席の数、設定、棋譜での手とともに一覧にする。

    名前を挙げたゲームには、誰に何が見えるかの表も添える。状態と手の各項目について、誰に見え、ほかの者には何が見えるかを示す。使えないゲームは、誤りとともに名前を挙げる。終了コードは1になる。
manual-games-types = npmパッケージkifuのための、このゲームのTypeScriptの型を出す。
manual-games-name = このゲームだけ、誰に何が見えるかの表とともに。名前、ファイル、またはPACKAGE.MODULE:GAME。
manual-new-game-short = 一つのファイルの小さなゲームを書く。自作の出発点。
manual-new-game =
    小さなゲームを一つのファイルに書き、そのテストを添える。

    そのまま遊べる。自分のゲームに変えていく：docs/write-a-game.mdが一歩ずつ育てる。行き着く先は--packageが書くもの：二つの言語の文言、手書きの記録文、反則の例、手本の棋譜。
manual-simulate-short = 無作為な対局を行い、棋譜を書く。
manual-simulate =
    無作為に、またはボット同士で対局を行い、棋譜をDIR/ID.logに書く。

    シードが同じなら、プロセスがいくつでも、同じ対局と同じバイトになる。--botsのあるときは、各ボットの勝率を一つの表で示す。レーティングは`replay rate`が示し、席ごとの勝敗は`replay stats`が数える。棋譜に上書きすることはない。
manual-stats-short = 結果、得点、長さ、ルールをまとめる。
manual-stats =
    多くの対局を、ゲームと席の数ごとにまとめる。

    どの席が勝つか、得点、長さ、それぞれのルールの働いた回数を示す。どこかに誤りのある棋譜は、報告して除外する。終了コード 0：すべて数えた、1：除外した棋譜がある、2：棋譜ではないか読めないファイルがある、または数えられるものがない。
manual-table-short = 手をDuckDBやpolarsの表として書く。
manual-table =
    多くの棋譜の手を一つの表に、対局をもう一つの表FILE.matches.parquetに書く。DuckDB、polars、pandasで読める。

    手の行には、対局、ゲーム、設定、番号、席、行為者、時刻、手の種類、項目、働いたルール、その後の点がある。全員のカードも含まれる。どこかに誤りのある棋譜は、報告して除外する。終了コード 0：すべて書いた、1：除外した棋譜がある、2：棋譜ではないか読めないファイルがある、または書けるものがない。
manual-impact-short = 変更が多くの棋譜に与える影響を示す。
manual-impact =
    設定の別の値や別のエンジンによって多くの棋譜がどうなるかを示す。

    エンジンが各手順で作るすべて、つまり状態、合法手、見えるもの、説明、誰も指さなかった手の拒否を比べる。変化の種類と、最初に異なるものごとに棋譜を数え、それぞれについて最も短いものを挙げる。どの棋譜にも現れないルールも挙げる。手と配りは同じまま。--fastを付けると結果と拒否だけを比べる。終了コード 0：何も変わらない、1：何かが変わる、2：使えない棋譜がある。
manual-seek-short = 二つのエンジンが分かれるまで対局する。
manual-seek =
    二つのエンジンが分かれるまで対局を続け、どこで分かれたかを示す。

    このエンジンが対局し、手順ごとに状態、手番、結果、説明、合法手、一人のビュー、誰も指さなかった手の拒否を比べる。対局ごとに好む手が違い、席の数は順に変わり、三局に一局は設定が変わる。二局に一局は、まれなことが起きた手順の少し前から続ける。--secondsで終わるまで、同じ呼び出しは同じ対局をする。終了コード 0：分かれなかった、1：分かれた、2：使えないエンジンがある。
manual-shrink-short = 棋譜の示すものを示す、最も短い対局を見つける。
manual-shrink =
    棋譜の示すものをなお示す、最も短い合法な対局を見つけて、名前のない棋譜として書く。

    示すものとは、--ruleの働き（そのルールの拒んだ手、なければ最初の説明）、または--optionや--engineによる違い（同じルールによる拒否、または状態の同じ項目）。手を切り、抜き、替え、別の配りでも試す。配りがシードのものでなくなれば、新しい棋譜はシードを持たない。--secondsで終わらない限り、同じ呼び出しは同じ対局を見つける。
manual-when-short = 値が変わった手順とそのわけを示す。
manual-when =
    値が変わった手順、条件が成り立った手順を、誰の手でどのルールによるかとともに示す。

    EXPRに書けるのは、状態の項目（--asのときはその席から見えるもの）、to_act、points、winnersの、hands[0]やpalaces[1][0].cardsのようなパス、整数、'文字列'（カードは見た目のまま）、true、false、none、== != < <= > >=、in、not in、and、or、not、len（…）。傷んだ棋譜は最初の誤りまでを見て、終了コードは1になる。
manual-serve-short = 進行中の対局と、遊ぶページを提供する。
manual-serve =
    進行中の対局と、遊ぶページを、止められるまで提供する。

    アクセスログは標準エラーにJSONの行で書く。鍵やカードがそこに載ることはない。



manual-store-short = 保管庫を検査・複写・整理し、棋譜を出し入れする。
manual-store =
    進行中の対局の保管庫を検査し、複写し、古いものを消し、棋譜を出し入れする。

    保管庫は提供中でもかまわない。
manual-store-check-short = 問題のある対局を挙げる。
manual-store-check =
    すべての棋譜を、鎖、ダイジェスト、ルールとともに読み、問題のある対局を挙げる。

    終了コード 1：問題のある対局がある。
manual-store-copy-short = すべての対局を別の保管庫に複写する。
manual-store-copy =
    すべての対局を、別の保管庫に複写する。種類が違ってもよい。

    提供中でもかまわない。新しいものがなくなるまで繰り返す。終了コード 1：問題のある対局がある。
manual-store-copy-target = 複写先の保管庫。
manual-store-export-short = 対局の棋譜を書き出す。
manual-store-export =
    始まった対局の棋譜を、それぞれフォルダーのDIR/ID.logに書き出す。

    すでにある棋譜は、伸びたものだけを書き直す。終了コード 1：書けなかった棋譜がある。
manual-store-export-folder = 棋譜のフォルダー。なければ作る。
manual-store-import-short = 棋譜を対局として取り込む。
manual-store-import =
    棋譜を、それぞれのidの対局として取り込む。続く対局の鍵は`rotate-keys`で出す。

    保管庫がなければ作る。終了コード 1：受け付けなかった棋譜がある。
manual-store-expire-short = 長く変わっていない対局を消す。
manual-store-expire =
    指定した日数のあいだ変わっていない対局を消し、それらを挙げる。
manual-store-expire-finished_days = 終わってからこの日数が過ぎた対局。
manual-store-expire-open_days = この日数のあいだ参加者を待っている対局。
manual-store-expire-going_days = この日数のあいだ参加も終了もない対局。
manual-store-rules-short = 新しいルールで対局がどうなるかを述べる。
manual-store-rules =
    古いルールで始まった対局のそれぞれが、今のルールで提供したらどうなるかを述べる。何も変えない。

    終了コード 1：続けられない対局がある。
manual-store-witness-short = 進行中の対局が新しいルールに要るものを書き留める。
manual-store-witness =
    更新の前に、進行中の対局のそれぞれで各席が持つものを書き留める。新しいルールで続けるために要る。
manual-store-rotate-keys-short = 対局の席に新しい鍵を出す。
manual-store-rotate-keys =
    進行中の対局のプレイヤーに新しい鍵を出す。古い鍵は使えなくなる。

    対局を提供している間でもよい。鍵を持つ人がその席として動けるので、それぞれのプレイヤーだけに渡す。
manual-store-rotate-keys-match = 対局のid。そのアドレスにあるもの。
manual-store-rotate-keys-seat = この席だけ。繰り返し指定できる。なければ遊ぶ人すべて。
manual-store-resume-short = 記録した対局を、進行中の対局として続ける。
manual-store-resume =
    棋譜を保管庫の対局にし、席ごとに新しい鍵を表示する。idは棋譜のものを使う。

    終わっていない対局は続けられる。サーバーなしのブラウザで始めたものでもよい。棋譜を持っていた人はすべてのカードを知っているので、公平な配りとは言えない。誤りのある棋譜は受け付けない。
manual-store-resume-bot = ボットが受け持つ席。繰り返し指定できる。
manual-any-address = 保管庫：sqlite:FILE、postgresql://… など。
manual-any-page = 鍵そのものの代わりに、そこで提供しているページへのリンクを表示する。

manual-any-log = 一つの対局の棋譜：パスか、s3://のようなアドレス。
manual-any-logs = 棋譜、または*.logを探すフォルダー：パスか、s3://のようなアドレス。
manual-rules-logs = --coverageのとき：棋譜、またはそのフォルダー。
manual-any-game = ゲーム。replay gamesの一覧にある名前、ファイル、またはPACKAGE.MODULE:GAME。
manual-any-seed = 整数か、64桁の16進数。なければ新しいシード。
manual-any-seat = この席から見えたものだけ：席の番号か名前か、spectator（観戦者）。
manual-any-lang = 言語。なければロケールの言語。
manual-export-lang = ページを開いたときの言語。なければ読む人のブラウザの言語。
manual-any-json = 一行に一つのJSONオブジェクトだけを出す。
manual-any-plain = 色のない文字。
manual-any-jobs = プロセスの数。なければ一つで、長くかかればすべてのコアを使う。
manual-any-cluster = 仕事をするDaskのクラスター。tcp://HOST:8786のように指定する。
manual-any-engine = 別の版のkifuやゲームを持つPython。またはゲームの別の版のファイル。
manual-diff-engine = 別の版を持つPythonで、Bを再生する。二度指定すればAとBを再生する。
manual-any-timeout = 別のエンジンが一つの棋譜にかけてよい時間。0.1~86400秒。
manual-any-known_game = 導入されていないゲーム。そのファイル、フォルダー、またはPACKAGE.MODULE:GAME。繰り返せる。
manual-any-option = ゲームの設定。繰り返し指定できる。
manual-any-fast = 結果と拒否だけを比べ、途中は比べない。
manual-show-step = 一つの手順だけを、その後の場とともに。
manual-show-first = 最初に示す手順。
manual-show-last = 最後に示す手順。
manual-show-analyse = 代わりに、それぞれの選択の損と、対局の分かれ目を表示する。
manual-show-analysis = その分析をJSONの行としてここにも書く。前の分析だけを置き換える。
manual-show-pairs = --analyseのとき：比べる想定局面の数。
manual-export-file = 書くファイル。-なら標準出力。以前の書き出しには上書きし、ほかのファイルには触れない。
manual-export-analyse = それぞれの選択の損と、対局の分かれ目を加える。
manual-export-anonymous = 名前、時刻、idを除いた棋譜を書く。すでにあるファイルには書かない。
manual-export-form = ページ（html）かデータ（json。docs/export-format.md）。なければファイルの名前で決める。
manual-diff-a = 棋譜かトレース、またはそのフォルダー。
manual-diff-b = もう一つの棋譜、トレース、またはフォルダー。
manual-diff-every = 最初だけでなく、違う手順をすべて。
manual-trace-file = トレースのファイル。なければ、または-なら標準出力。以前のトレースには上書きし、ほかのファイルには触れない。
manual-golden-folder = 手本の棋譜のフォルダー。*.logを探す。
manual-golden-bless = 変わったものを表示し、保存する：今の姿を、これからの正しい姿とする。
manual-golden-anyway = 古い棋譜を壊すことになっても、この棋譜の期待を保存する。何度でも書ける。
manual-rules-learn = 初めての人のために、ゲームの遊び方を表示する。
manual-rules-coverage = それぞれのルールが棋譜で働いた回数を数える。
manual-audit-reward = 各席の報酬も示す：victory、zero_sum、points、score、placing。
manual-mcp-game = ゲーム、またはサーバーの対局へのリンク（https://HOST/#match=ID）。
manual-mcp-seats = 席の数。なければ最も少ない数。
manual-mcp-seat = アシスタントの席。
manual-mcp-bots = ほかの席のボット。順に座る。
manual-mcp-file = サーバーが終わるときに棋譜を書くファイル。
manual-simulate-duplicate = 同じ配りを、席を一つずつずらして繰り返す。
manual-new-game-name = ファイルと、棋譜でのゲームの名前：小文字、数字、_。
manual-new-game-folder = 書き込むフォルダー。なければここ、パッケージならNAME。
manual-new-game-package = この名前のフォルダーに、導入できる二言語のパッケージを書く。
manual-simulate-folder = 棋譜のフォルダー。なければ作る。
manual-simulate-seats = 席の数。なければ最も多い数。
manual-simulate-games = 対局の数。
manual-simulate-seed = 整数か、64桁の16進数。なければ新しいシードを使い、それを示す。
manual-simulate-bots = 遊ぶボット：random、greedy、ismcts:200（反復）、ismcts:200msなど。
manual-stats-file = 図のページFILE.htmlも書く。ページのメニューで絵にできる。上書きするのは以前の図だけ。
manual-table-file = 手の表（Parquet）。すでにあるファイルには書かない。
manual-seek-engine = 比べる別の版を持つPython。二度指定すればAとBを比べる。
manual-seek-file = その対局の棋譜。すでにあるファイルには書かない。
manual-seek-seats = 席の数。なければすべてを順に。
manual-seek-seed = 整数か、64桁の16進数。なければゼロ。
manual-seek-tries = 対局する数の上限。
manual-seek-seconds = かかってよい秒数。
manual-shrink-file = 新しい棋譜。すでにあるファイルには書かない。`-`：標準出力。
manual-shrink-rule = 示すルール：その拒んだ手、またはその説明。
manual-shrink-tries = 試す対局の数の上限。
manual-shrink-seconds = かかってよい秒数。
manual-when-expression = 'hands[0]'のようなパスか、'totals[1] > 20'のような条件。
manual-when-first = 最初の一度だけ。
manual-when-last = 最後の一度だけ：今そうであるわけ。
manual-when-begin = 最初に見る手順。
manual-when-end = 最後に見る手順。
manual-any-store = 対局の保管庫：sqlite:FILE、postgresql://…、memory:。
manual-serve-port = ポート。0なら空いているもの。
manual-serve-host = 待ち受けるアドレス。0.0.0.0ならすべて。
manual-serve-bots = 選べるボット。先頭のものが既定になる。
manual-serve-origin = APIを使ってよいページのサイト（CORS）。繰り返し指定できる。
manual-serve-allow_host = localhost のほかに応答する名前。繰り返し指定できる。
manual-serve-limit = 制限を変える。例：streams=1000。繰り返し指定できる。
manual-serve-sign_key = 参加者に伝える内容に署名する鍵のファイル。なければ作る。
manual-serve-no_analysis = 終わった対局を、ページで求められても分析しない。
manual-serve-quiet = 警告と誤りだけを書く。

results-bot = プレイヤー
results-matches = 局数
results-won = 勝率（95 %）
results-fair = 席の割合
results-points = 点（95 %）
results-refused = 退けられた答え
results-stood = 代役の手

written-site = { $folder }：{ $count ->
    [0] 遊ぶ場所
   *[other] { $count }局
}、エンジンは{ $size } MB
serve-site = どのウェブサーバーでも公開できます。例：python3 -m http.server -d { $folder }
left-out-of-site = { $log }：インストールされたゲームの棋譜ではないので除きました
game-left-out-of-site = { $package }：Pythonだけで書かれていないため（{ $file }）、そのゲームは除きました
site-title = kifu
site-tagline = 対局を一手ずつ見て、確かめて、続きを遊べます。すべてこのブラウザの中で動きます。
site-play = 遊ぶ
site-search = ゲーム、プレイヤー、ファイル、ルールを探す
site-state-over = 終局
site-state-going = 途中
site-state-abandoned = 中止
site-state-broken = 問題あり
site-won = 勝ち
site-events = { $count }手
site-found = { $all }局のうち{ $count }局
site-more = もっと見る
site-matches = 対局
site-no-matches = 対局はありません。遊ぶか、ファイルを置いてください。
site-steps = 一手ずつ見る
site-at-the-table = 卓で開く
site-download = 棋譜を保存
site-as = あなたの席
site-play-on = ここから続ける
site-new-version = 新しい版があります：読み込み直す
site-loading = エンジンを読み込んでいます。はじめは約7メガバイトです…
site-no-engine = エンジンを読み込めませんでした：
site-other-tab = 別のタブで卓が開いています。それを閉じると、ここで続きます。
site-unreadable = このブラウザに保存されていますが、この版のkifuでは読めず、そのまま残してある対局：
site-unkept = このブラウザは最後の手を保存できていません。大切な対局は棋譜を保存してください。ブラウザの説明：
site-no-room = このブラウザは何も保存できず、対局を別のページに渡せません。ブラウザの説明：

message-analysed-later = 対局がまだ終わっていません。分析は終わってからです。
message-no-analysis = その分析は忘れられました。はじめからやり直してください。
message-no-call = kifuに { $name } という呼び出しはありません。
message-host-not-open = ホストが開いていません。先に openHost を呼んでください。
message-call-failed = { $call }が失敗しました。kifuかゲームの誤りです。エンジンの説明：{ $error }
message-wrong-call = { $call }の引数が正しくありません。エンジンの説明：{ $why }
message-no-such-seat = 席{ $seat }はありません。席は0から{ $last }です。
message-not-to-act = 席{ $seat }の番ではありません。
message-forgotten = その対局は忘れられました。もう一度読み込んでください。
message-no-lang = { $lang } の文はありません。あるもの：{ $known }
message-no-hex = シードは16進数64桁です。{ $given } は違います。
message-no-target = { $target } は要求先ではありません。/api/games のようなパスです。
message-no-header = { $name }（値 { $value }）はヘッダーになりません。名前は英数字と -、値はLatin-1の1行です。
message-not-fetched = { $program } でランタイムを取得できません：{ $why }。{ $how }
message-site-unwritten = { $folder } に書けません：{ $why }
message-site-folder = { $folder } はすでにあり、kifuのサイトではありません。-o で新しいフォルダーを指定してください。
message-other-runtime = { $file } は、kifuで確かめたファイルではありません。消してから、もう一度実行してください。
message-no-program = { $program } がありません。{ $how }
message-fetch-runtime = `{ $npm }` と `{ $pip }` で一つのフォルダーに取得し、そのフォルダーを --runtime で渡してください
message-no-runtime-folder = { $folder } はフォルダーではありません。{ $how }
message-no-runtime = { $folder } に { $names } がありません。{ $how }

manual-site-short = サーバーの要らない、対局のサイトを書き出す。
manual-site =
    エンジンを含むウェブページのフォルダーを書き出す。静的なファイルを置けるところならどこでも公開でき、サーバーは要らない。

    棋譜の一覧を作り、一手ずつ見る、検査する、記録と照らす、分析する、比べる、途中から続けて遊ぶことができる。Pythonだけで書かれたゲームはすべて、ボットとも、一つの画面でも遊べる。一度開けば、通信がなくても動く。

    棋譜はそのまま、すべてのカードが見える形で入る。対局が終わってから渡すこと。

    終了コード0：書き出した。1：書き出したが、棋譜でないファイルを除いた。2：書き出せなかった。
manual-site-logs = 載せる棋譜と、そのフォルダー。なければ、遊ぶだけのサイトになる。
manual-site-folder = 書き出すフォルダー。前に書き出したサイトは置き換える。
manual-site-runtime = ランタイムのファイルのフォルダー。なければnpmとpipで取得し、取っておく。

## 誰に何が見えるか

secrets-title = 誰に何が見えるか
secrets-none = すべてが全員に見える。
secrets-everybody = 全員
secrets-owner = その席だけ
secrets-actor = 手を打つ席だけ
secrets-nobody = 誰にも見えない
secrets-hand = 手書き：ゲームの関数 { $function } による
secrets-others-nothing = ほかには何も見えない
secrets-others-size = ほかには数だけが見える
secrets-others-whether = ほかには有無だけが見える
