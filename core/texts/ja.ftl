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
finding-fair = 公平でない配り
finding-veil = ベール
finding-signature = 署名
finding-head = 名簿
finding-mark = 印
finding-told = 伝えられた内容
finding-missing = 棋譜にない
finding-view = 場の見え方
finding-record = 席の記録

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

## 使えないわけ。英語の文はソースにある

why-in-file = { $file }:{ $why }
why-two-files = { $one }と{ $other }
why-one-and-other = { $one }。{ $other }
why-none = なし
why-finding = { $kind ->
    [torn] { finding-torn }
    [chain] { finding-chain }
    [form] { finding-form }
    [rule] { finding-rule }
    [digest] { finding-digest }
    [result] { finding-result }
    [header] { finding-header }
    [file] ファイル
   *[other] { $kind }
}:{ $why }
why-finding-at = 手順{ $seq }、{ $kind ->
    [torn] { finding-torn }
    [chain] { finding-chain }
    [form] { finding-form }
    [rule] { finding-rule }
    [digest] { finding-digest }
    [result] { finding-result }
   *[other] { $kind }
}:{ $why }
why-option = 設定{ $option }:{ $why }
why-game = ゲーム{ $game }:{ $why }
why-engine = エンジン { $engine }:{ $why }
why-store = 保管庫 { $store }:{ $why }
why-extra = { $what }には追加の部品が要る:pip install 'kifu[{ $extra }]'
why-drawing-charts = 図の作成
why-serving = ウェブでの対局
why-the-stepper = 全画面のステッパー
why-a-store-in-postgres = PostgreSQLの保管庫
why-what-is-at = { $address }の読み込み

# 機械が言うこと
why-not-there = そのファイルやフォルダーはない
why-not-allowed = 許可がない
why-a-folder = フォルダーである
why-no-folder = フォルダーではない
why-already-there = すでにある
why-name-too-long = 名前が長すぎる
why-disk-full = ディスクに空きがない
why-read-only = 書き込めないファイルシステムである
why-address-in-use = そのアドレスはすでに使われている
why-no-address = この機械のアドレスではない
why-unopened-database = データベースのファイルを開けない
why-no-database = データベースのファイルではない
why-locked-database = データベースがロックされている
why-a-device = パイプやデバイスは棋譜ではない
why-no-file-name = ファイル名ではない
why-file-there = そのファイルはすでにある
why-unreadable = 読めない:{ $why }
why-unwritable = 書けない:{ $why }
why-unopened = 開けない:{ $why }
why-not-cut-off = 途中で切れた末尾を切り取れない:{ $why }
why-no-folder-made = フォルダーを作れない:{ $why }
why-written-meanwhile = その間にほかのプログラムが書き込んだ

# ゲームとボット
why-not-installed = 導入されていない。あるもの:{ $known }
why-not-loaded = { $place }から読み込めない:{ $cause }
why-not-this-game = { $place }はこの名前のゲームではない
why-bot-not-installed = ボット{ $bot }:導入されていない。あるもの:{ $known }
why-bot-not-made = ボット{ $bot }:{ $place }から作れない:{ $cause }
why-bot-takes-nothing = { $bot }:{ $kind }のコロンの後には何も書けない
why-ismcts-budget = ismcts:{ $said }:反復の回数(ismcts:200)か時間(ismcts:200ms、ismcts:2s)を指定する
why-no-rule = ルール{ $number }はない
why-upcasts-from = 読み替えが{ $given }からある。1から{ $last }までのそれぞれから一つずつ要る
why-tags-unique = タグは重ならず、点で始まらない
why-not-on-the-wire = 手をデータにできない:{ $cause }
why-rules-failed = { $command }にルールが失敗した:{ $bug }
why-function-failed = { $function }が失敗した:{ $bug }
why-rules-failed-on = 対局{ $match }でルールが失敗した。写しを検査する
why-not-played-here = ここでは遊べない

# 設定と手の形
why-must-be-a-map = 対応でなければならない
why-none-of-this-name = その名前のものはない。あるもの:{ $known }
why-not-together = 組み合わせられない
why-of-field = 項目{ $field }:{ $why }
why-does-not-fit = 合わない
why-it-is-missing = ない
why-no-field = 項目{ $names }はない
why-fields-no-map = 項目が対応になっていない
why-no-command = 手{ $tag }はない
why-no-command-of = { $kind }は{ $game }の手ではない
why-not-a = { $value }は{ $kind }ではない
why-no-int-or-text = { $value }は整数でも文字列でもない
why-no-list = { $value }はリストではない
why-no-list-of = { $value }は長さ{ $count }のリストではない
why-no-map = { $value }は対応ではない
why-none-of = { $value }は次のどれでもない:{ $choices }
why-an-int = 整数
why-a-bool = 真偽値
why-a-text = 文字列
why-a-float = 小数
why-a-list = リスト
why-a-map = 対応
why-bytes = バイト列
why-a-giant-int = 巨大な整数
why-something-else = ほかの何か

# 対局
why-no-such-seat = 席は0~{ $last }で、{ $given }ではない
why-seats-to = 席は0~{ $last }
why-other-seats = { $game }の席は{ $takes }で、{ $count }ではない
why-no-such-seed = シードは{ $count }バイトで、{ $given }ではない
why-no-seed = この対局にはシードがない。テーブルの配りを与える
why-no-states = 状態を残さない再生では戻せない
why-takeback-to = `to`は-1~{ $last }で、{ $to }ではない
why-no-event = 手順{ $seq }はない。この対局は{ $count }手
why-was-abandoned = 対局は打ち切られていて、続けられない

# 棋譜のヘッダー
why-no-log = 棋譜ではない
why-no-log-but = 棋譜ではない:{ $why }
why-empty = 棋譜ではない:ファイルが空である
why-no-header = 棋譜ではない:ヘッダーで始まっていない
why-no-kifu = 棋譜ではない:ヘッダーに'kifu'がない
why-json-no-log = JSONで、棋譜ではない。棋譜のJSON形式ならkifu.loadが読み、棋譜に保存できる
why-no-match-in-it = 対局が入っていない
why-torn-header = ファイルがヘッダーの途中で終わっている
why-other-format = 版式{ $given }は知らない。このプログラムが読むのは版式{ $known }
why-other-rules = ルール第{ $given }版は知らない。このプログラムのルールは第1~{ $last }版
why-not-in-header = ヘッダーに{ $key }がない
why-key-is-not = { $key }は{ $shape }のはず
why-from-to = { $least }~{ $most }
why-a-format = 版式の番号
why-a-game = ゲームの名前
why-a-rules-version = ルールの版
why-names = 名前のリスト
why-a-seed = 32バイトかnil
why-a-time = ミリ秒かnil
why-fork-is-not = 'fork'は、文字列'match'と整数'seq'の対応ではない
why-fork-with-seed = 分岐した対局に自分のシードはない
why-upcast-failed = ルール第{ $version }版のヘッダーの読み替えが失敗した:{ $bug }
why-upcast-gave = ルール第{ $version }版のヘッダーの読み替えが誤りを生んだ:{ $wrong }
why-it-is-no-map = 対応ではない
why-older-rules = ルール第{ $rules }版で、今は第{ $today }版。読み込んで新しく保存してから続ける

# 棋譜のバイト
why-torn = ファイルがデータの途中で終わっている:{ $count }バイトだけある
why-no-msgpack = バイト{ $head }で始まるものはmsgpackにない
why-many-parts = { $most }を超える部分がある
why-nested = 入れ子が深すぎる
why-both-nested = 入れ子が深すぎる
why-no-utf-8 = 文字列がUTF-8ではない
why-no-place = 棋譜に入らないものである
why-key-no-text = 対応のキーがリストか対応である
why-key-twice = 対応に同じキーが2つある
why-strange-key = 対応のキー{ $key }が文字列ではない
why-extension = 棋譜に拡張型{ $code }は入らない
why-float = 棋譜に小数は入らない
why-timestamp = 棋譜にタイムスタンプは入らない

# 棋譜の手順
why-broken-chain = ここで鎖が切れている:バイトが変えられたか、除かれたか、足されたか、移された
why-no-event-of-seven = 手順ではない:手順は7つのものの並びである
why-other-number = 番号は{ $number }だが、次は手順{ $seq }
why-no-seat-tag-fields = 席が整数でないか、タグが文字列でないか、項目が対応でない
why-digest-is-not = ダイジェストが{ $count }バイトでもnilでもない
why-chain-is-not = 鎖が{ $count }バイトではない
why-long-int = 整数が最も短い形ではない
why-meta-is-not = metaがnilでも、中身のある対応でもない
why-meta-key-is-not = meta:{ $key }は{ $shape }のはず
why-milliseconds = 0以上のミリ秒
why-bytes-at-most = { $most }バイトまで
why-text-at-most = { $most }文字までの文字列
why-other-state = この手の後の状態が、記録された状態と違う
why-event-upcast-failed = この手順の読み替えが失敗した:{ $bug }
why-event-upcast-gave = この手順の読み替えが席、タグ、項目の対応を生まなかった
why-strange-tail = 末尾は次の手順の始まりではない。切り取る前に調べる
why-other-next = 次は手順{ $next }で、{ $seq }ではない

# 棋譜の終わり
why-end-record = 終わりの記録:{ $why }
why-end-keys = キーがend、events、points、winners、chainとぴったり同じではない
why-end-is-not = 'end'がoverでもabandonedでもない
why-events-is-not = 'events'が数ではない
why-points-are-not = 'points'が席ごとの整数のリストではない
why-winners-are-not = 'winners'が席のリストではない
why-winners-not-ascending = 'winners'が小さい順ではない
why-abandoned-with = 中断した対局に点や勝者がある
why-broken-at-end = 終わりの記録で鎖が切れている
why-follows-end = 終わりの記録の後に何かがある
why-end-counts = 終わりの記録では{ $counted }手だが、実際は{ $events }手
why-end-not-over = 終わりの記録では終局しているが、まだ終わっていない
why-end-but-over = 終わりの記録では中断だが、終局している
why-end-points = 終わりの記録では点が{ $said }だが、ゲームでは{ $points }
why-end-winners = 終わりの記録では勝者が{ $said }だが、ゲームでは{ $winners }
why-has-ended = 対局は終わっていて、書き足せない
why-log-closed = この棋譜は閉じていて、書き足せない

# トレースと手本
why-no-trace = トレースではない
why-trace-format = 版式{ $given }のトレース。このプログラムが読むのは版式{ $known }
why-head-malformed = 見出しの{ $key }がないか、形が正しくない
why-no-step = 手順{ $seq }であるはずのものが手順ではない
why-step-malformed = 手順{ $seq }の形が正しくない
why-refusal-malformed = 拒否の形が正しくない
why-refuses-other = 手順{ $refused }を拒んでいるが、次は手順{ $seq }
why-follows-refusal = 拒否の後に何かがある
why-trace-end-malformed = 終わりの形が正しくない
why-steps-count = 終わりでは{ $counted }手順だが、実際は{ $steps }手順
why-wrong-sum = 検査の値が違う:バイトが変えられた
why-follows-trace = トレースの終わりの後に何かがある
why-cut-short = トレースが{ $after }で切れている
why-noise-at = { $place }:{ $why }
why-before-first = 最初の手順の前
why-after-step = 手順{ $seq }の後
why-two-logs = 二つの棋譜のトレースで、対局は{ $one }と{ $other }
why-alike-logs = 始まりの同じ二つの棋譜のトレースで、一方は変えられたか、伸びた
why-ends-before = 一方が、拒否もなく棋譜の前で終わっている
why-missing = { $file }がない。replay golden --blessで保存する
why-file-unreadable = { $file }を読めない:{ $why }
why-untraced = { $file }のトレースを作れない:{ $why }
why-no-object = オブジェクトではない
why-stored-now = { $key }:保存時 { $then }、現在 { $today }

# ほかのエンジン
why-not-started = 起動できない:{ $why }
why-other-protocol = プロトコルの版が{ $given }で、{ $known }ではない
why-engine-failed = この棋譜を使えない:{ $why }
why-answer-without-trace = 答えにトレースがない
why-unusable-trace = 答えのトレースを使えない:{ $why }
why-trace-of-another = 答えのトレースは別の棋譜のもの
why-rubbish = 答えではないものを出力する
why-hangs = --timeoutの時間内に答えがない
why-long-answer = 答えが{ $most }バイトより長い
why-closed-output = 出力を閉じた
why-no-kifu-there = そこにトレースを作れるkifuがない:{ $said }
why-ended-with = 終了コード{ $code }で終わった
why-ended-by = シグナル{ $signal }で終わった
why-last-words = { $ended }:{ $said }

# 保管庫
why-no-kind-of-store = その種類の保管庫はない。アドレスは次のどれか:{ $known }
why-store-closed = 閉じている
why-interrupted = 割り込まれた
why-newer-schema = 表の版が{ $version }で、このkifuが知るのは{ $known }まで。新しいkifuを使う
why-foreign-database = ほかのプログラムのデータベースである
why-strange-address = libpqがこのアドレスを読めない。パスワードの英数字以外の文字は%XXと書く
why-no-id = { $match }はidではない:ASCIIの英数字、「-」、「_」が1~64文字で、最初は英数字
why-without-sheet = { $match }.logがすでにあり、対局の控えがない
why-shorter = { $file }が短くなった:{ $size }バイトで、{ $known }ではない
why-no-array = 手順{ $seq }が並びではない
why-no-beginning = { $problem }。次の手順の始まりでもない
why-no-objects = 手順はmsgpackの並び、終わりの記録は対応である
why-no-sheet = 対局{ $match }の控えはホストのものではない
why-is-no-sheet = 対局の控えではない
why-broken-sheet = 対局の控えではない:{ $cause }
why-newer-sheet = 版が{ $version }で、このkifuが知るのは{ $known }まで。新しいkifuを使う
why-no-such-match = 対局{ $match }はない
why-conflict = 対局{ $match }がその間に変わった:{ $how }。もう一度読む
why-other-count = { $at }手ではなく{ $count }手ある
why-not-as-it-was = 前と同じではない
why-key-refused = この鍵で開く席は対局{ $match }にない

# 進行中の対局
why-others-first = いつもほかの人が先になる。もう一度試す
why-no-whole-number = { $what }は整数で、{ $given }ではない
why-a-limit = 手番の時間
why-a-pace = 間合い
why-a-seat = 席
why-a-bots-seat = ボットの席
why-limit-is = 手番の時間は1~{ $most }ミリ秒で、{ $given }ではない
why-pace-is = 間合いは0~{ $most }ミリ秒で、{ $given }ではない
why-begun-under = ルール第{ $begun }版で始まり、今は第{ $today }版。続けるには分岐する
why-seats-are-free = まだ始まっていない:空席がある
why-never-began = 始まらなかった
why-never-began-so = 始まらなかった。新しく立てるか、棋譜を入れ直す
why-seat-without-player = 席{ $seat }に遊ぶ人はいない。いる席:{ $known }
why-does-not-replay = ここでは再生できない。写しを検査する
why-no-log-yet = まだ始まっておらず、棋譜がない
why-secret-log = 対局が続く間、棋譜はテーブルの秘密である
why-seats-are = 席は数か、名前のリストで示す
why-seats-are-listed = 席は番号のリストで示す
why-no-seat-free = 空席がない
why-seat-not-free = 席{ $seat }は空いていない。空席:{ $free }
why-name-is = 名前は1~{ $most }文字
why-half-letter = 名前にサロゲートの片割れがある
why-like-a-stand-in = ボットの名前を{ $name }にはできない:代役と紛らわしい
why-no-seat-for-bot = ボット{ $bot }の席{ $seat }はない。席は{ $seats }つ
why-no-such-bot = ボット{ $bot }はいない。いるもの:{ $known }
why-no-id-to-keep = 保管する対局のidは英数字、-、_からなり、{ $match }ではない
why-here-already = 対局{ $match }はすでにここにある
why-events-are = { $at }手ではなく{ $count }手ある
why-shown-later = 前の場は終局の後に見られる。自分の見たできごとは今も見られる
why-command-id-is = 手のidは1~{ $most }バイト
why-no-event-back = 戻る先の手順{ $to }はない。全部で{ $count }手
why-over-fork-it = 対局は終わっている。終わりの前から遊ぶには分岐する
why-nothing-to-take-back = 取り消すものがない。場は手順{ $to }の後のままである
why-over-after = { $at }手の後でゲームは終わっている。それより前で分岐する
why-match-already = 対局はすでに{ $status ->
    [over] 終局している
   *[abandoned] 中止されている
}
why-other-wish-first = { $name }の申し出が先({ $kind ->
    [take_back] 待った
    [fork] 分岐
   *[abandon] 中止
}):同意するか断る
why-no-wish = 申し出{ $number }はない
why-wish-already = 申し出{ $number }はすでに{ $state ->
    [done] かなった
    [refused] 断られた
    [lapsed] 流れた
   *[pending] 待っている
}
why-being-fulfilled = 申し出{ $number }は全員の同意を得て、かなうところである

# ウェブ
why-a-wish-number = 申し出には番号がある
why-names-once = 問い合わせの名前は一度ずつ
why-body-is-not = 本文が定めの形ではない:{ $cause }
why-query-is-not = 問い合わせが定めの形ではない:{ $cause }
why-at-place = { $place }:{ $why }
why-got-other = { $expected }のはずが{ $got }である
why-wrong-length = { $expected }の長さは{ $bounds }のはず
why-out-of-bounds = { $expected }は{ $bounds }のはず
why-field-missing = { $field }がない
why-field-unknown = { $field }という項目はない
why-no-such-choice = { $given }は選べない
why-bad-json = JSONの形が正しくない:{ $what }
why-cut-off = 途中で切れている

## 信頼(公平な配り、席の記録、署名)

why-the-host = ホスト
why-seat-number = 席{ $seat }
why-seats-and = 席{ $seats }と{ $last }
why-not-canonical = nil、真偽値、整数、文字列、バイト列、並び、対応のほかのものがある
why-no-whole-object = msgpackのひとまとまりになっていない
why-other-encoding = バイト列が正規の書き方ではない
why-key-bytes = 公開鍵は{ $count }バイト
why-private-key-bytes = 秘密鍵は{ $count }バイト
why-weak-key = この鍵は弱い
why-no-private-key = パスワードのないPEM形式のEd25519の鍵ではない
why-signing = 署名とその確認
why-commitment-bytes = コミットメントは{ $count }バイト
why-veil-is-not = 'veil'が{ $count }バイトではない
why-sign-is-not = 'sign'が'v'が{ $version }の対応ではない
why-sign-keys = 'sign'に'host'がないか、席ごとの鍵またはnilがない
why-fair-keys = 'fair'のキーがv、who、host、seats、pastとぴったり同じではない
why-fair-version = 'fair'のバージョンが{ $version }ではない
why-fair-who = 'who'が席ごとの0、1、2ではない
why-nobody-contributes = この配りに秘密を出した席がない
why-fair-past = 'past'が{ $most }回までの試みの並びではない
why-fair-unrevealed = 秘密を明かしていない席があるのに配られた
why-attempt-keys = 試みのキーがhost、seatsとぴったり同じではない
why-attempt-seats = 試みに席ごとの記載がない
why-host-pair = ホストのコミットメントと秘密が32バイトずつではない
why-seat-pair = 席のコミットメントと秘密が32バイトずつ、またはnilではない
why-revealed-early = 全員がコミットする前に秘密が明かされている
why-fair-in-fork = 分岐した対局に公平な配りはない
why-not-opened = 第{ $attempt }回:{ $party }が明かした秘密はコミットメントと合わない
why-secret-twice = 第{ $attempt }回:{ $party }が前に使われた秘密を使っている
why-nobody-refused = 第{ $attempt }回は失敗したのに、断った者がいない
why-fair-without-seed = 公平な配りなのにシードがない
why-no-roster-of = ヘッダーから名簿が作れない:{ $why }
why-other-seed = シードが名簿と秘密から出るものと違う
why-no-roster = 名簿ではない:名簿は名前で始まる14個の並び
why-roster-shape = 名簿ではない:種類の違う部分がある
why-roster-key = ヘッダーに{ $key }がない
why-roster-header = ヘッダーに'rules'、'options'、'seats'のどれかがない
why-roster-parts = 対局、ゲーム、名前は文字列、ルールの版は整数、オプションは対応
why-a-key-a-seat = 鍵またはNoneは席ごとに一つ
why-keys-need-veil = 署名には印が要る:ベールがない
why-nobody-joins = 公平な配りには、参加する席が要る
why-committed-already = 席{ $seat }はもうコミットしている
why-contributes-not = 席{ $seat }はこの配りに秘密を出さない
why-waits-commitments = { $seats }のコミットメントを待っている
why-waits-secrets = { $seats }の秘密を待っている
why-other-roster = 名簿が違う:何も明かされていない
why-secret-opens-not = この秘密は席{ $seat }のコミットメントと合わない
why-secret-used = この秘密は前に使われた:秘密はそのつど新しく引く
why-nobody-awaited = 全員が明かした:配ることができる
why-eight-failed = 8回とも失敗した:{ $seats }が断った。対局を新しく開く
why-keys-without-veil = 鍵があるのにベールがない:署名を確かめられない
why-signed-without-key = 署名があるが、席{ $seat }に鍵はない
why-signed-and-by = 署名があるのに、席{ $seat }の代わりに別の者が打っている
why-not-signed = 席{ $seat }は手に署名する:これには署名がない
why-signed-without-id = 署名があるのにidがない
why-id-again = 席{ $seat }の前の手と同じidである
why-command-sign-is-not = 'sign'が時点と64バイトではない
why-signed-for-later = まだ来ていない時点{ $at }に答えている
why-acted-since = 答えている時点{ $at }の後に、その席かテーブルが動いている
why-not-signed-so = これは席{ $seat }の署名ではない
why-later-ones = その席の後の{ $count }個も合わない
why-takeback-by = 取り消しを望んだ席の名がない
why-takeback-sign-is-not = 'sign'が席の昇順の、席と署名の並びではない
why-consent-not-signed = 席{ $seat }が取り消しに署名していない
why-no-veil = 棋譜にベールがないので、印もない
why-no-kifu-record = 記録ではない:'kifu_record'がない
why-other-record = 別の形式の記録。このプログラムが読むのは形式{ $known }
why-record-head = 記録ではない:頭に形式、席、名簿、署名がそろっていない
why-record-roster = 記録ではない:{ $why }
why-record-seat = 記録ではない:名簿に席{ $seat }はない
why-record-closed = この記録は閉じている
why-malformed-entry = 記載{ $place }の形が正しくないので、その後は読まない:{ $why }
why-entry-of-six = 記載は6個の並び
why-entry-number = 種類が0~4でないか、番号が正しくない
why-entry-told = 伝えられた内容がバイト列でないか、印が32バイトではない
why-entry-sig = 署名が64バイトでもnilでもない
why-entry-public = 公開の形にあるのはハッシュだけで、ソルトと送ったものはない
why-entry-salt = ソルトが16バイトでないか、要らないところにある
why-told-shape = 伝えられた内容にその種類の部分がそろっていない
why-out-of-order = 後の記載の後ろにある
why-torn-record = 記録が記載の途中で終わっている
why-of-the-roster = 名簿:{ $why }
why-host-without-key = 署名があるが、ホストに鍵はない
why-host-not-signed = ホストの署名がない
why-host-signature = これはホストの署名ではない
why-wish-not-signed = 席{ $seat }の署名がない
why-sent-otherwise = 文面の対局、席、印のどれかが記載と違う
why-two-marks = 同じ時点の印が記録に二つある
why-signatures-unchecked = 署名。次が要る:pip install 'kifu[sign]'
why-other-match = 記録と棋譜の対局が違う
why-other-head = 棋譜の名簿が、最初の配りの前に認めた名簿と違う
why-veil-missing = 棋譜にベールがない
why-other-veil = ベールが約束されたものと違う
why-marks-unchecked = 印とソルト:ベールで開けない
why-other-mark = ここまでの棋譜のバイト列が、ホストがこの印を渡したときのものと違う
why-other-salt = ソルトがベールから出るものと違う
why-end-missing = 対局の終わりが伝えられたのに、棋譜に終わりの記録がない
why-end-elsewhere = { $told }手で終わったと伝えられたのに、棋譜は{ $count }手
why-events-missing = 伝えられたのに、棋譜は{ $count }手しかない
why-told-otherwise = 棋譜がこの席に示すものと違う:{ $parts }
why-told-other-hash = 棋譜がこの席に示すものがハッシュと合わない
why-other-view = 棋譜がこの席に示す場と違う:{ $parts }
why-public-unchecked = 伝えられた内容:記録が公開の形である
why-told-unchecked = 手の見え方:ゲームかそのルールがここにない
why-upcast-unchecked = 読み替えで変わる項目
why-notes-unchecked = 注釈:別のプログラムが記録したか、状態が食い違う
why-views-unchecked = 場の見え方:配置の版が違うか、そこまで再生できない
why-other-matches = 二つの記録の対局が違う
why-two-rosters = ホストが二つの名簿を見せている
why-two-histories = ホストが二つの経過を語っている:この時点の印が違う
why-ended-and-went-on = 一方にはここで終わり、他方には続くと伝えられている
why-told-two-things = 二つの席に違うことが伝えられている:{ $parts }
