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
colon = ：
semicolon = ；
bracketed = （{ $what }）
given = { SEAT($seat) }に{ $card }
cards = { CARDS($values) }
seats = { SEATS($values) }
owned = { OWNED($values) }
owned-one = { SEAT($seat) } { $number }
numbered = { $item }（{ $number }）
unnumbered = { $item }

doing = { $what }：{ $how }
command-takeback = { $to ->
    [-1] 最初まで戻す
   *[other] { $to }手目の後まで戻す
}
note-takeback = { $to ->
    [-1] すべて取り消し、最初の場に戻す。
   *[other] 取り消し：場は{ $to }手目の後に戻る。
}
command-rules = ルール第{ $to }版で続ける
note-rules-change = 対局はルール第{ $to }版で続く。これまでのことはそのまま。
command-refused = ルール第{ $to }版では続けられず、対局を終える
note-rules-refused = 対局は結果なしでここで終わる。ルール第{ $to }版では、{ $event }手目の後に{ SEAT($seat) }の見たものが変わってしまう（{ $field }）。

## 対局

points = { $points }点
winner = 勝ち
winner-shared = 勝ち（分け合う）
winner-draw = 引き分け
winner-none = 負け
begins-deal = 第{ $number }ディール
begins-round = 第{ $number }ラウンド
begins-trick = 第{ $number }トリック
begins-turn = { $number }手目
turns = { $first }〜{ $last }
unseen = { $what }（内容は見えない）
seat-does = { $seat }：{ $what }
looked-again = { SEATS($seats) }は手を戻し、一度しか見られないものをもう一度見た。
abandoned = 対局はここで中止された。
goes-on = 対局はまだ続く：{ SEATS($seats) }の番。
at-event = { $seq }手目：

## 場

fact-of = { $value }/{ $most }
empty-space = 空き
face-down = 伏せ札{ $count }枚
face-down-pieces = 非公開{ $count }個
in-all = 全{ $count }枚
in-all-pieces = 全{ $count }個

## 棋譜の誤り

finding-torn = ファイルが途中で終わっている
finding-chain = 鎖が切れている
finding-form = 形が正しくない
finding-rule = ルール違反
finding-rules = 新しい版のルール
finding-game = ゲームの失敗
finding-digest = 記録と違う状態
finding-result = 記録と違う結果
finding-key = ホストの鍵
finding-header = ヘッダー
finding-file = ファイル
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

violation = { SEAT($seat) }の反則：{ $sentence }
violation-because = { SEAT($seat) }にはできません：{ $because }
refused-because = { $because }
violation-FORM = { SEAT($seat) }の手は形が正しくない：{ $why }
violation-OVER = { SEAT($seat) }が手を出したが、ゲームはもう終わっている
violation-TURN = { COUNT($asked) ->
    [0] { SEAT($seat) }の手ではない：配るのはテーブルだけで、テーブルはほかに何もしない
   *[other] { SEAT($seat) }の番ではない：今は{ SEATS($asked) }の番
}
violation-ORDER = { SEAT($seat) }の手は順序に反する：今は「{ COMMAND($expected) }」をするところ
violation-DEAL = { SEAT($seat) }の配ったカードが正しくない：ルールが求めるのは { $expected }
violation-SEED = { SEAT($seat) }の第{ $deal }の配りがシードと違う

refused = ルールでできません：{ $sentence }
refused-FORM = 手の形が正しくありません：{ $why }
refused-OVER = ゲームは終わっています。
refused-TURN = { COUNT($asked) ->
    [0] 配るのはテーブルだけです。
   *[other] あなたの番ではありません。{ SEATS($asked) }を待っています。
}
refused-ORDER = 先にすることがあります：{ COMMAND($expected) }

## どのゲームにも通じるルール

rule-FORM = 手には決められた項目だけがあり、それぞれの型、範囲、長さ、並びが正しい。
rule-OVER = ゲームが終わった後は、どの手も認められない。
rule-TURN = 求められた席だけが行動できる。配るのはテーブルだけで、テーブルはほかに何もしない。
rule-ORDER = 手は、ゲームが求めるときにだけ出せる。
rule-DEAL = 配られるカードは、ルールどおりの内容と枚数で、それぞれ決められた位置にある。
rule-SEED = シードのある対局では、どの配りもそのシードから得られるものである。

## ふりがな

readings = 手札《てふだ》 山札《やまふだ》 札《ふだ》 棋譜《きふ》 伏《ふ》 席《せき》 手番《てばん》 時計回り《とけいまわり》 裁定《さいてい》

## 一局の二通りの再生

message-compare-same = 相違なし：{ $steps }手順
message-compare-same-part = 相違なし
message-compare-fast = --fast：比べたのは結果と拒否だけで、途中は比べていない
message-compare-old = 一方は版式1のトレース：比べたのは状態、説明、結果、合法手で、見えるものは比べていない
message-compare-leak = 漏れ：前には知りえなかったことが、{ $viewers }に見える
message-compare-spectator = 観戦者
message-compare-a-seat = 席
message-compare-both = どちらも{ $end }
message-compare-kind = { $kind }。{ $what }
message-compare-kind-later = { $kind }。続く{ $after }手順のうち{ $count }に相違。{ $what }
message-compare-many = 数えられない手
message-compare-commands = { $count }手（{ $digest }）
message-compare-refuses-rule = { $side }では{ $rule }により認められない
message-compare-fails = { $side }は失敗：{ $why }
message-compare-end-fails = { $seq }手目で失敗：{ $why }
message-change-same = 同じ
message-change-other-layout = 詰め方が違う
message-change-other-words = 言葉が違う
message-change-other-view = 見えるものが違う
message-change-fewer-legal = 認められる手が減る
message-change-more-legal = 認められる手が増える
message-change-other-states = 状態が違う
message-change-other-result = 結果が違う
message-change-illegal = 違反になる
message-change-failed = エンジンの失敗
message-change-unread = 読めない
message-compare-before = { $step }手目：{ $what }
message-compare-step = { $step }手目に相違
message-compare-step-doing = { $step }手目に相違：{ $seat }、{ $doing }
message-compare-more = …ほかに{ $count }項目
message-compare-refuses = { $side }では認められない：{ $why }
message-compare-refuses-by = { $side }では{ $rule }により認められない：{ $why }
message-compare-accepts = { $side }では認められる
message-compare-note = { $side }：{ $note }
message-compare-note-by = { $side }、{ $rule }：{ $note }
message-compare-rules = 双方で適用：{ $rules }
message-compare-only = { $side }のみ { $items }
message-compare-order = 中身は同じで順が違う
message-compare-winner = 勝者が違う：{ $two }
message-compare-score = 勝者は同じで点が違う：{ $two }
message-compare-end-refuses = { $seq }手目が認められない：{ $why }
message-compare-end-refuses-by = { $seq }手目が{ $rule }により認められない：{ $why }
message-compare-end-open = まだ結果なし
message-compare-end-won = { $winners }の勝ち（点 { $points }）
message-compare-end-nobody = 勝者なし（点 { $points }）
message-compare-end-shared = 全席が同じ結果（点 { $points }）
message-compare-and = { $one }と{ $other }
message-compare-stored = 保存時
message-compare-now = 現在
message-compare-side = { $side }：{ $engine }、{ $game } ルール第{ $rules }版、{ $source }

## 使えないわけ。英語の文はソースにある

message-in-file = { $file }：{ $why }
message-one-and-other = { $one }。{ $other }
message-one-and-more = { $one }。ほか{ $count }件
message-none = なし
message-finding = { $kind ->
    [torn] { finding-torn }
    [chain] { finding-chain }
    [form] { finding-form }
    [game] { finding-game }
    [rule] { finding-rule }
    [digest] { finding-digest }
    [result] { finding-result }
    [header] { finding-header }
    [file] ファイル
   *[other] { $kind }
}：{ $why }
message-finding-at = { $seq }手目、{ $kind ->
    [torn] { finding-torn }
    [chain] { finding-chain }
    [form] { finding-form }
    [game] { finding-game }
    [rule] { finding-rule }
    [digest] { finding-digest }
    [result] { finding-result }
   *[other] { $kind }
}：{ $why }
message-option = 設定{ $option }：{ $why }
message-game = ゲーム{ $game }：{ $why }
message-engine = エンジン { $engine }：{ $why }
message-store = 保管庫 { $store }：{ $why }
message-extra = { $what }には追加の部品が要る：pip install 'kifu[{ $extra }]'
message-the-page = 対局のページ
message-serving = ウェブでの対局
message-a-store-in-postgres = PostgreSQLの保管庫

# 機械が言うこと
message-not-there = そのファイルやフォルダーはない
message-not-allowed = 許可がない
message-a-folder = フォルダーである
message-no-folder = フォルダーではない
message-already-there = すでにある
message-name-too-long = 名前が長すぎる
message-disk-full = ディスクに空きがない
message-read-only = 書き込めないファイルシステムである
message-address-in-use = そのアドレスはすでに使われている
message-no-address = このコンピューターのアドレスではない
message-unopened-database = データベースのファイルを開けない
message-no-database = データベースのファイルではない
message-locked-database = データベースがロックされている
message-a-device = パイプやデバイスで、ファイルではない
message-no-file-name = ファイル名ではない
message-file-there = そのファイルはすでにある
message-unreadable = 読めない：{ $why }
message-unwritable = 書けない：{ $why }
message-unopened = 開けない：{ $why }
message-not-cut-off = 途中で切れた末尾を切り取れない：{ $why }
message-displaced = 消されたか、ほかのファイルと入れ替わった
message-written-meanwhile = その間にほかのプログラムが書き込んだ

# ゲームとボット
message-not-installed = 導入されていない。あるもの：{ $known }。ファイルにあるゲームは、そのファイルを渡す（--game FILE）
message-not-loaded = { $place }から読み込めない：{ $cause }
message-game-broken = 動かない：{ $cause }
message-not-this-game = { $place }はこの名前のゲームではない
message-bot-not-installed = ボット{ $bot }：導入されていない。あるもの：{ $known }
message-bot-not-made = ボット{ $bot }：{ $place }から作れない：{ $cause }
message-bot-takes-nothing = { $bot }：{ $kind }のコロンの後には何も書けない
message-bot-limit = { $bot }：何も書かないか、一手の最長の時間（{ $kind }:800ms、{ $kind }:1s）を書く
message-ismcts-budget = ismcts:{ $given }：反復の回数（ismcts:200）か時間（ismcts:200ms、ismcts:2s）を指定する
message-no-rule = ルール{ $number }はない
message-upcasts-from = 読み替えが{ $given }からある。1から{ $last }までのそれぞれから一つずつ要る
message-commands-not-applied = `apply`が{ $commands }を扱わない。そのあとに起こることを書くか、commandsから外す
message-commands-without-tags = ルールの関数が名指す{ $commands }がcommandsにない。`@command("タグ")`で宣言する
message-has-slots = クラス{ $kind }は__slots__を持つので`evolve`できない。`@{ $decorator }`で宣言する
message-not-declared = クラス{ $kind }は不変のデータではない。`@{ $decorator }`で宣言する
message-init-false = { $kind }.{ $field }は`init=False`である。プロパティにするか、ほかと同じ欄にする
message-no-default = { $kind }.{ $field }に既定値がない。オプションにはどれにも要る
message-no-types = { $kind }の注釈が読めない：{ $cause }。クラスはモジュールのいちばん上で定義する
message-wrong-type = { $kind }.{ $field }は{ $wrong }を持つ：{ $fix }
message-use-int = いちばん小さい単位のintにする
message-use-tuple = 変わらない`tuple[…, ...]`にする
message-use-pairs = 対のtupleにする
message-use-ascending = 昇順のtupleにする
message-use-type = 型を書く
message-use-one = 型を一つ、または一つとNone、または`int | str`を使う
message-use-plain = tuple、int、文字列、bool、None、enum、またはそれらのクラスにする
message-use-no-self = クラスは自分自身からは作れない。ただの値のtupleにする
message-no-commands = コマンドがない。どれも`@command("タグ")`で宣言する
message-no-tag = { $kind }はコマンドではない。`@command("タグ")`で宣言する
message-tag-is = { $kind }のタグは{ $tag }である。タグは文字列で、点では始まらない
message-tag-twice = タグ{ $tag }が{ $one }と{ $other }の両方を指す。タグは一つずつ違う
message-no-mark = { $kind }.{ $field }に印がない。誰に見えるかを`public()`、{ $marks }、`seen_by(…)`で言う
message-last-event-id = Last-Event-IDはイベントの番号
message-key-reused = この冪等キーは別のコマンド（イベント{ $seq }）で使われている
message-rewound = 対局{ $match }の経過はこれと違い、イベントは{ $count }個である。最初から読み直す
message-rows-by-seat = { $kind }.{ $field }は`own()`だが、{ $seats }席に対して{ $given }行ある。行は席ごとに1つ
message-nested-mark = { $kind }.{ $field }は{ $inner }を持ち、その{ $marked }に印がある。印を付けるのは状態の項目だけ
message-own-no-row = { $kind }.{ $field }は`own()`だが、席ごとの列ではない。`tuple[…, ...]`にするか、ほかの印にする
message-told-in-state = { $kind }.{ $field }は`told(…)`だが、それはビューのための印である。`public()`にする
message-sizes-of-gaps = { $kind }.{ $field }は欠けうるものを隠しうる。どれがあるかを言う欄の名前、または""を`sizes`で渡す
message-seen-by-what = { $kind }.{ $field }の`seen_by`の関数は、状態と見る人の二つの引数を取らない
message-no-such-function = { $part }に関数`{ $name }`がない。書く
message-other-arguments = `{ $name }`の引数は{ $count }個だが、{ $given }は違う
message-no-rule-of = { $kind }を告げるルール{ $number }がルールブックにない。あるもの：{ $known }
message-no-rule-of-field = { $kind }.{ $field }を告げるルール{ $number }がルールブックにない
message-rule-twice = ルール{ $number }が二つある
message-start-failed = `start`が{ $seats }席と既定のオプションで失敗した：{ $bug }
message-start-returned = `start`が{ $seats }席で返したのは{ $given }で、{ $kind }ではない
message-no-seats-in-state = { $kind }から席の数が分からない。席ごとの列か、プロパティ`seats`を持たせる
message-view-of-what = { $kind }.{ $field }は{ $state }の欄でも、その数でも、`told(…)`でもない
message-view-lacks = { $kind }には{ $state }の欄{ $field }がない。加えるか、`determinize`を書く
message-not-drawn = { $kind }.{ $field }は隠れていて、カードでも、`Literal`のように数え上げられる値でもない。そのような型にするか、`determinize`を書く
message-no-deck-fits = `determinize`はビューに合う山札を見つけられない。自分で書くか、`deck`を書く
message-deck-too-small = 隠れたカードが{ $hidden }枚あるのに、見えていないカードは山札に{ $left }枚しかない。どのカードがあるかを`deck`で示す
message-no-such-file = そのファイルはない
message-no-module = Pythonのモジュールではない
message-command-without-tag = クラス{ $kind }の宣言`@command`にタグがない。`@command("{ $tag }")`と書く
message-decorator-brackets = `@{ $decorator }`は括弧なしでクラスの上に書く
message-seats-range = `seats`が{ $given }である。席の数は範囲で書く。2～4席なら`range(2, 5)`
message-extras-tuple = `extras`は{ $given }ではなくタプルである。`extras=(Hints(…),)`と書く
message-two-options = { $one }と{ $other }がどちらも`@options`で宣言されている。オプションのクラスは一つである
message-no-such-module = モジュール{ $module }がない。自分のモジュールの終わりに`Game.of(__name__, …)`と書く
message-deal-returns-what = `deal`がどのコマンドを返すか分からない。`-> Deal`のような注釈を付ける
message-function-returned = `{ $function }`が返したのは{ $given }である。返すのは{ $wanted }である
message-illegal-by-what = `Illegal({ $number })`のルールはルールブックにない。あるもの：{ $known }
message-below-the-game = `{ $function }`がゲームの定義より下にあり、ゲームに入っていない。`GAME = …`の上に置く
message-module-of-python = { $name }はPythonのモジュールの名前である。ファイルの名前を変える
message-name-is-taken = { $other }のゲームがこの名前である。別の名前にする
message-module-is-there = 別のモジュール{ $name }がもうある。ファイルの名前を変える
message-no-game-in-folder = フォルダーにゲームがない。ファイル{ $name }、またはただ一つのモジュールがゲームになる
message-no-game-in-it = { $attribute }というゲームがない。モジュールの終わりに`{ $attribute } = Game.of(__name__, …)`と書く
message-not-imported = 読み込めない：{ $cause }
message-own-name = kifu自身のゲームの名前である。ほかの名前にする
message-no-viewer = 見るのは席かNoneである。テーブルに見えるものは`everything()`
message-not-on-the-wire = 手をデータにできない：{ $cause }
message-rules-failed = { $command }にルールが失敗した：{ $bug }{ $at }
message-function-failed = { $function }が失敗した：{ $bug }{ $at }
message-rules-failed-on = 対局{ $match }でルールが失敗した。写しを検査する
message-no-lesson = 遊び方の説明がない
message-not-played-here = ここでは遊べない

# 設定と手の形
message-must-be-a-map = 対応でなければならない
message-none-of-this-name = その名前のものはない。あるもの：{ $known }
message-not-together = 組み合わせられない
message-of-field = 項目{ $field }：{ $why }
message-does-not-fit = 合わない
message-it-is-missing = ない
message-no-field = 項目{ $names }はない
message-fields-no-map = 項目が対応になっていない
message-no-command = 手{ $tag }はない
message-no-command-of = { $kind }は{ $game }の手ではない
message-not-a = { $value }は{ $kind }ではない
message-no-int-or-text = { $value }は整数でも文字列でもない
message-no-list = { $value }はリストではない
message-no-list-of = { $value }は長さ{ $count }のリストではない
message-no-map = { $value }は対応ではない
message-none-of = { $value }は次のどれでもない：{ $choices }
message-an-int = 整数
message-a-whole-number = 整数
message-a-bool = trueかfalse
message-a-text = 文字列
message-a-float = 小数
message-a-list = リスト
message-a-map = 対応
message-bytes = バイト列
message-a-giant-int = 巨大な整数

# 対局
message-no-such-seat = 席は0~{ $last }で、{ $given }ではない
message-card-count = カードは{ $count }枚で、{ $given }枚ではない
message-no-such-card = { $card }はこのゲームのカードではない
message-the-deck = このゲームの{ $count }枚
message-no-int-as-seat = 席は整数で、{ $given }ではない
message-not-in-a-log = 記録に残せない整数か文字列を含む
message-option-not-in-a-log = 記録に残せない整数か文字列
message-option-too-large = ブラウザで読めない大きさの数。-{ $most }から{ $most }まで
message-no-viewers = 視点は席0~{ $last }、卓-1、観戦者Noneのリストで、{ $given }ではない
message-no-ceremony = 公平な配りはCeremonyで渡す
message-no-meta = 手に添えるものがMetaではない
message-no-game = ゲームでもゲームの名前でもない
message-meta-not-in-a-log = このmetaの{ $key }は記録に残せない
message-seats-to = 席は0~{ $last }
message-other-seats = { $game }の席は{ $takes }で、{ $count }ではない
message-no-such-seed = シードは{ $count }バイトで、{ $given }ではない
message-layout-due = 状態の詰め方だけが違う。`Past(layout={ $layout })`にする（docs/change-a-rule.md）
message-no-command-data = 着手は'tag'と'fields'の対応
message-not-the-game = { $game }の棋譜ではない
message-at-seat = 席{ $seat }：{ $why }
message-deals-for-ever = テーブルが{ $count }回続けて配り、まだ配る番にある。どの席の番も来ない
message-no-seed = この対局にはシードがない。テーブルの配りを与える
message-no-states = 状態を残さない再生では戻せない
message-newer-rules = ルール第{ $rules }版で続いている。このプログラムのルールは第1~{ $known }版
message-rules-go-on = ルール第{ $rules }版で始まり、第{ $to }版で続く
message-rules-ended = ルール第{ $rules }版で始まったが、第{ $to }版では同じにならないので終わった：{ $why }
message-rules-left = ルール第{ $rules }版のまま残した：{ $why }
message-after-refusal = 新しい版のルールでは続けられなかった。この後には何も来ない
message-rules-to = `to`は{ $rules }以上で、{ $to }ではない
message-layout-is = `layout`は1以上で、{ $layout }ではない
message-refused-is = `event`と`seat`が、それまでの手順と見る者ではない
message-no-witness = { $seq }手目の後に誰が何を見たかの記録がない
message-table-had-other = { $event }手目の後、場の{ $field }が違っていた
message-spectator-had-other = { $event }手目の後、観戦者の{ $field }が違っていた
message-seat-had-other = { $event }手目の後、席{ $seat }の{ $field }が違っていた
message-takeback-to = `to`は-1~{ $last }で、{ $to }ではない
message-no-event = { $seq }手目はない。この対局は{ $count }手
message-was-abandoned = 対局は中止されていて、続けられない

# 棋譜のヘッダー
message-no-log = 棋譜ではない
message-no-log-but = 棋譜ではない：{ $why }
message-empty = 棋譜ではない：ファイルが空である
message-no-header = 棋譜ではない：ヘッダーで始まっていない
message-no-kifu = 棋譜ではない：ヘッダーに'kifu'がない
message-json-no-log = JSONで、棋譜ではない。棋譜のJSON形式ならkifu.loadが読み、棋譜に保存できる
message-no-match-in-it = 対局が入っていない
message-torn-header = ファイルがヘッダーの途中で終わっている
message-other-format = 版式{ $given }は知らない。このプログラムが読むのは版式{ $known }
message-other-rules = ルール第{ $given }版は知らない。このプログラムのルールは第1~{ $last }版
message-not-in-header = ヘッダーに{ $key }がない
message-key-is-not = { $key }は{ $shape }のはず
message-from-to = { $least }~{ $most }
message-a-format = 版式の番号
message-a-game = ゲームの名前
message-a-rules-version = ルールの版
message-names = 名前のリスト
message-a-seed = 32バイトかnil
message-a-time = ミリ秒かnil
message-fork-is-not = 'fork'は、文字列'match'と整数'seq'の対応ではない
message-fork-with-seed = 分岐した対局に自分のシードはない
message-upcast-failed = ルール第{ $version }版のヘッダーの読み替えが失敗した：{ $bug }
message-upcast-gave = ルール第{ $version }版のヘッダーの読み替えが誤りを生んだ：{ $wrong }
message-it-is-no-map = 対応ではない
message-older-rules = ルール第{ $rules }版で、今は第{ $today }版。読み込んで新しく保存してから続ける

# 棋譜のバイト
message-torn = ファイルがデータの途中で終わっている：{ $count }バイトだけある
message-no-msgpack = バイト{ $head }で始まるものはmsgpackにない
message-many-parts = { $most }を超える部分がある
message-nested = 入れ子が深すぎる
message-both-nested = 入れ子が深すぎる
message-no-utf-8 = 文字列がUTF-8ではない
message-no-place = 棋譜に入らないものである
message-key-no-text = 対応のキーがリストか対応である
message-key-twice = 対応に同じキーが2つある
message-keys-ascend = キーが昇順でない
message-strange-key = 対応のキー{ $key }が文字列ではない
message-extension = 棋譜に拡張型{ $code }は入らない
message-float = 棋譜に小数は入らない
message-timestamp = 棋譜にタイムスタンプは入らない

# 棋譜の手順
message-broken-chain = ここでバイトが変えられたか、除かれたか、足されたか、移された
message-no-event-of-seven = 手順ではない：手順は7つのものの並びである
message-other-number = 番号は{ $number }だが、次は{ $seq }手目
message-no-seat-tag-fields = 席が整数でないか、タグが文字列でないか、項目が対応でない
message-digest-is-not = ダイジェストが{ $count }バイトでもnilでもない
message-chain-is-not = 鎖が{ $count }バイトではない
message-chain-not-last = 最後の{ $count }バイトが鎖ではない
message-long-int = 整数が最も短い形ではない
message-long-header = ヘッダーがmsgpackの最短の形で書かれていない
message-gzip = 棋譜ではない。gzipで圧縮されている。展開してから渡す
message-zip = 棋譜ではない。zipの書庫である。展開してから渡す
message-byte-order-mark = 棋譜ではない。先頭にバイト順マークがある。取り除く
message-saved-as-text = 棋譜ではない。テキストとして保存されて壊れている
message-line-ends = 改行の前に復帰文字が入っている。テキストとして写された棋譜なので、そのまま写し直す
message-meta-is-not = metaがnilでも、中身のある対応でもない
message-meta-key-is-not = meta：{ $key }は{ $shape }のはず
message-milliseconds = 0以上のミリ秒
message-bytes-at-most = { $most }バイトまで
message-text-at-most = { $most }文字までの文字列
message-other-state = この手の後の状態が、記録された状態と違う
message-event-upcast-failed = この手順の読み替えが失敗した：{ $bug }
message-event-upcast-gave = この手順の読み替えが席、タグ、項目の対応を生まなかった
message-strange-tail = 末尾は次の手順の始まりではない。切り取る前に調べる

# 棋譜の終わり
message-end-record = 終わりの記録：{ $why }
message-end-keys = キーがend、events、points、winners、chainとぴったり同じではない
message-end-is-not = 'end'がoverでもabandonedでもない
message-events-is-not = 'events'が数ではない
message-points-are-not = 'points'が席ごとの整数のリストではない
message-winners-are-not = 'winners'が席のリストではない
message-winners-not-ascending = 'winners'が小さい順ではない
message-abandoned-with = 中止された対局に点や勝者がある
message-broken-at-end = 終わりの記録か、その前が変えられた
message-follows-end = 終わりの記録の後に何かがある
message-end-counts = 終わりの記録では{ $counted }手だが、実際は{ $events }手
message-end-not-over = 終わりの記録では終局しているが、まだ終わっていない
message-end-but-over = 終わりの記録では中止だが、終局している
message-end-points = 終わりの記録では点が{ $recorded }だが、ゲームでは{ $points }
message-end-winners = 終わりの記録では勝者が{ $recorded }だが、ゲームでは{ $winners }
message-has-ended = 対局は終わっていて、書き足せない
message-has-not-ended = 対局はまだ続いている。最後まで指すか、中止する
message-log-displaced = ファイルが消されたか、ほかのものと入れ替わった。書いた{ $count }手のうち、今あるファイルには{ $safe }手がある
message-log-closed = この棋譜は閉じていて、書き足せない

# トレースと手本
message-no-trace = トレースではない
message-trace-format = 版式{ $given }のトレース。このプログラムが読むのは版式1から{ $known }
message-head-malformed = 見出しの{ $key }がないか、形が正しくない
message-no-step = { $seq }手目であるはずのものが手ではない
message-step-malformed = { $seq }手目の形が正しくない
message-malformed-refusal = 拒否の形が正しくない
message-refuses-other = { $refused }手目を拒んでいるが、次は{ $seq }手目
message-follows-refusal = 拒否の後に何かがある
message-sketch-malformed = 先頭のスケッチの形が正しくない
message-trace-end-malformed = 終わりの形が正しくない
message-steps-count = 終わりでは{ $counted }手順だが、実際は{ $steps }手順
message-wrong-sum = 検査の値が違う：バイトが変えられた
message-follows-trace = トレースの終わりの後に何かがある
message-cut-short = トレースが{ $after }で切れている
message-noise-at = { $place }：{ $why }
message-before-first = 最初の手順の前
message-after-step = { $seq }手目の後
message-two-logs = 二つの棋譜のトレースで、対局は{ $one }と{ $other }
message-anew-logs = 対局{ $match }の二つの棋譜のトレースで、棋譜は書き直された
message-alike-logs = 始まりの同じ二つの棋譜のトレースで、一方は変えられたか、伸びた
message-ends-before = 一方が、拒否もなく棋譜の前で終わっている
message-log-missing = { $file }がないのに、そのトレースか結果がある。棋譜を戻すか、残ったものを消す
message-broken-link = { $file }の指すファイルがない
message-missing = { $file }がない。replay golden --blessで保存する
message-file-unreadable = { $file }を読めない：{ $why }
message-untraced = { $file }のトレースを作れない：{ $why }
message-no-object = オブジェクトではない
message-other-bytes = 書いたものと違うものが読まれる
message-result-points = 結果の点は整数で、{ $points }ではない。半点は2倍にして数える
message-result-winners = 結果の勝者は小さい順の席で、{ $winners }ではない
message-result-teams = 結果のチームは席ごとの番号で、{ $teams }ではない
message-nothing-to-deal = { $game }には配りがない。公平な配りは行えない
message-no-deal = 卓の番だが、ゲームに`deal`がない
message-no-function = `{ $name }`は関数であるべきで、{ $given }ではない。なくてよいものは、書かずにおく
message-log-broken = { $file }は検査を通らない：{ $why }
message-end-broken = { $file }の終わり方が、保存したものと違う
message-stored-now = { $key }：保存時 { $then }、現在 { $today }

# ほかのエンジン

# 保管庫
message-no-place-of-store = 場所がない。アドレスは次のどれか：{ $known }
message-no-kind-of-store = その種類の保管庫はない。アドレスは次のどれか：{ $known }
message-no-store-of-files = ファイルの保管庫はもうない：replay store import sqlite:kifu.db { $folder }
message-store-fails = 保管庫が使えない：{ $cause }
message-store-silent = 応答がない
message-store-closed = 閉じている
message-interrupted = 割り込まれた
message-newer-schema = 表の版が{ $version }で、このkifuが知るのは{ $known }まで。新しいkifuを使う
message-foreign-database = ほかのプログラムのデータベースである
message-strange-address = libpqがこのアドレスを読めない。パスワードの英数字以外の文字は%XXと書く
message-no-id = { $match }はidではない：ASCIIの英数字、「-」、「_」が1~64文字で、最初は英数字
message-another-log-there = 対局{ $match }はすでにあり、棋譜が異なる
message-store-moved = { $file }は開いているあいだに移動または削除された：元に戻し、起動し直す
message-log-shorter = 対局{ $match }が確認済みより短い：{ $count }件で、{ $known }件ではない
message-log-other = 対局{ $match }の棋譜は確認済みのものではない
message-no-metadata-of-a-host = 対局{ $match }のメタデータはホストのものではない
message-no-such-match = 対局{ $match }はない
message-conflict = 対局{ $match }がその間に変わった：{ $how }。もう一度読む
message-other-count = { $expected }手ではなく{ $count }手ある
message-not-as-it-was = 前と同じではない
message-key-refused = この鍵で開く席は対局{ $match }にない

# 進行中の対局
message-others-first = いつもほかの人が先になる。もう一度試す
message-no-whole-number = { $what }は整数で、{ $given }ではない
message-a-turn-limit = 1手の制限時間
message-a-bot-delay = ボットの待ち時間
message-a-seat = 席
message-a-bots-seat = ボットの席
message-term-is = { $what }は{ $least }~{ $most }ミリ秒で、{ $given }ではない
message-match-is-full = この対局にはできごとが{ $most }件あり、これ以上は続けられない。中止か分岐はできる
message-rule-forbids-event = { $rule }により{ $event }手目は許されない
message-row-says-otherwise = メタデータでは{ $status }だが、記録はそうではない
message-begun-under = ルール第{ $begun }版で始まり、今は第{ $today }版。続けるには分岐する
message-seats-are-free = まだ始まっていない：空席がある
message-never-began = 始まらなかった
message-does-not-replay = ここでは再生できない。写しを検査する
message-not-analysed = まだ分析されていない
message-no-analysis-here = このサーバーは対局を分析しない
message-no-log-yet = まだ始まっておらず、棋譜がない
message-shared-cards = 同じカードの別の対局がまだ続いている。伏せられていたものは、そちらも終わってから公開される
message-secret-log = 対局が続く間、棋譜はテーブルの秘密である
message-seats-are = 席は数か、名前のリストで示す
message-seats-are-listed = 席は番号のリストで示す
message-no-seat-free = 空席がない
message-none-to-remove = 席がすべて埋まったので、もう誰も外せない
message-no-player = 席{ $seat }にはプレイヤーがいない。いる席：{ $held }
message-all-committed = 全員が約束を終えたので、もう誰も外せない
message-seat-not-free = 席{ $seat }は空いていない。空席：{ $free }
message-name-is = 名前は1~{ $most }文字
message-hidden-in-name = 名前に使えるのは見える文字だけ。{ $name }には見えない文字がある
message-name-twice = { $name }という名前のプレイヤーがすでにいる。別の名前にする
message-like-a-stand-in = ボットの名前を{ $name }にはできない：代役と紛らわしい
message-no-seat-for-bot = ボット{ $bot }の席{ $seat }はない。席は{ $seats }つ
message-no-such-bot = ボット{ $bot }はいない。いるもの：{ $known }
message-no-id-to-store = 署名が対局名{ $match }に結び付いている。名前が英数字と - _ だけの対局でなければ続けられない
message-here-already = 対局{ $match }はすでにここにある
message-events-are = { $at }手ではなく{ $count }手ある
message-shown-later = 前の場は終局の後に見られる。それまでは自分の履歴がある
message-idempotency-key-is = 冪等キーは1~{ $most }バイト
message-no-event-back = 戻る先の{ $to }手目はない。全部で{ $count }手
message-over-fork-it = 対局は終わっている。終わりの前から遊ぶには分岐する
message-no-language = 言語タグではない：{ $given }。jaやja-JPのように書く
message-nothing-to-undo = 席{ $seat }の手は、もう取り消せるものがない
message-nothing-to-take-back = 取り消すものがない。場は{ $to }手目の後のままである
message-over-after = { $at }手の後でゲームは終わっている。それより前で分岐する
message-match-already = 対局はすでに{ $status ->
    [over] 終局している
   *[abandoned] 中止されている
}
message-other-proposal-first = { $name }の提案が先（{ $kind ->
    [take_back] 待った
    [fork] 分岐
   *[abandon] 中止
}）：同意するか断る
message-no-proposal = 提案{ $number }はない
message-proposal-already = 提案{ $number }はすでに{ $status ->
    [accepted] 成立した
    [rejected] 断られた
    [expired] 失効した
   *[pending] 待っている
}
message-all-accepted = 提案{ $number }は全員が同意した

# ウェブ
message-a-proposal-number = 提案には番号がある
message-a-seat-number = 席には番号がある
message-names-once = 問い合わせの名前は一度ずつ
message-body-names-twice = 本文に{ $name }が二度ある
message-body-is-not = 本文が定めの形ではない：{ $cause }
message-no-such-limit = 制限 { $name } はない。あるのは：{ $known }
message-limit-is = 制限 { $name } は 0 より大きい数で、{ $given } ではない
message-query-too-long = 問い合わせは{ $most }バイトまで
message-query-is-not = 問い合わせが定めの形ではない：{ $cause }

## 信頼（公平な配り、席の記録、署名）

message-the-host = ホスト
message-seat-number = 席{ $seat }
message-seats-and = 席{ $seats }と{ $last }
message-seats-numbers = 席{ $seats }
message-not-canonical = nil、真偽値、整数、文字列、バイト列、並び、対応のほかのものがある
message-no-whole-object = msgpackのひとまとまりになっていない
message-other-encoding = バイト列が正規の書き方ではない
message-key-bytes = 公開鍵は{ $count }バイト
message-private-key-bytes = 秘密鍵は{ $count }バイト
message-weak-key = この鍵は弱い
message-no-private-key = パスワードのないPEM形式のEd25519の鍵ではない
message-signing = 署名
message-commitment-bytes = コミットメントは{ $count }バイト
message-veil-is-not = 'veil'が{ $count }バイトではない
message-sign-is-not = 「sign」が、「v」（1か2）、「host」、席ごとの鍵かnilを持つマップではない
message-fair-who = 'who'が席ごとの0、1、2ではない
message-nobody-contributes = この配りに秘密を出した席がない
message-fair-unrevealed = 秘密を明かしていない席があるのに配られた
message-attempt-seats = ある試みの組が、参加した席のものではない
message-revealed-early = 全員がコミットする前に秘密が明かされている
message-fair-is-not = 「fair」が、第1版か第2版の公正な配り方のものではない
message-entry-is-not = 形式「{ $form }」の項目の部分を持っていない
message-fair-in-fork = 分岐した対局に公平な配りはない
message-not-opened = 第{ $attempt }回：{ $party }が明かした秘密はコミットメントと合わない
message-secret-twice = 第{ $attempt }回：{ $party }が前に使われた秘密を使っている
message-nobody-refused = 第{ $attempt }回は失敗したのに、断った者がいない
message-fair-without-seed = 公平な配りなのにシードがない
message-no-roster-of = ヘッダーから名簿が作れない：{ $why }
message-other-seed = シードが名簿と秘密から出るものと違う
message-no-roster = 名簿ではない。部分が名簿のものではない
message-roster-header = ヘッダーに'match'、'game'、'rules'、'options'、'seats'のどれかがない
message-a-key-a-seat = 鍵またはNoneは席ごとに一つ
message-keys-need-veil = 署名には印が要る：ベールがない
message-nobody-joins = 公平な配りには、参加する席が要る
message-committed-already = 席{ $seat }はもうコミットしている
message-contributes-not = 席{ $seat }はこの配りに秘密を出さない
message-waits-commitments = { $seats }のコミットメントを待っている
message-waits-secrets = { $seats }の秘密を待っている
message-other-roster = 名簿が違う：何も明かされていない
message-secret-opens-not = この秘密は席{ $seat }のコミットメントと合わない
message-secret-used = この秘密は前に使われた：秘密はそのつど新しく引く
message-nobody-awaited = 全員が明かした：配ることができる
message-eight-failed = 8回とも失敗した：{ $seats }が断った。対局を新しく開く
message-keys-without-veil = 鍵があるのにベールがない：署名を確かめられない
message-no-key-text = 鍵はbase64urlの43字：{ $text }は違う
message-host-key-none = ここではホストの鍵がないか、一つではない（知っているホストには鍵があった）
message-host-key-other = ホストの鍵は{ $found }で、{ $known }ではない
message-fork-unchecked = 分岐元と共有する手順0~{ $last }：署名と配りは分岐元の棋譜にある
message-fork-unread = 分岐と元の対局に共通の手：このルールでは両方を読めない
message-deal-taken-back = { $seq }手目の配りが取り消された。{ $seats }が署名していない
message-nothing-in-common = 経過が一つか：二つに共通の時点がない
message-fork-beyond-end = 分岐元と手順0~{ $last }を共有するというが、{ $count }手順しかない
message-parent-has-findings = 分岐元の棋譜そのものに異常がある：それを検査する
message-other-shared-actor = そこでは分岐元の「by」が違う
message-other-in-parent = 分岐元と違う：{ $parts }
message-signed-without-key = 署名があるが、席{ $seat }に鍵はない
message-signed-and-by = 署名があるのに、席{ $seat }の代わりに別の者が手を選んでいる
message-not-signed = 席{ $seat }は手に署名する：これには署名がない
message-signed-without-id = 署名があるのにidがない
message-id-again = 席{ $seat }の前の手と同じidである
message-command-sign-is-not = 'sign'が時点と64バイトではない
message-signed-for-later = まだ来ていない時点{ $at }に答えている
message-acted-since = 答えている時点{ $at }の後に、その席かテーブルが動いている
message-not-signed-so = これは席{ $seat }の署名ではない
message-later-ones = その席の後の{ $count }個も合わない
message-takeback-by = 手を戻したい席の名がない
message-takeback-sign-is-not = 'sign'が席の昇順の、席と署名の並びではない
message-consent-not-signed = 手を戻すことに{ $seats }が署名していない
message-no-veil = 棋譜にベールがないので、印もない
message-no-kifu-record = 記録ではない：'kifu_record'がない
message-other-record = 別の形式の記録。このプログラムが読むのは形式{ $known }
message-record-head = 記録ではない：頭に形式、席、名簿、署名がそろっていない
message-record-roster = 記録ではない：{ $why }
message-record-seat = 記録ではない：名簿に席{ $seat }はない
message-record-closed = この記録は閉じている
message-malformed-entry = 記載{ $place }の形が正しくないので、その後は読まない：{ $why }
message-told-shape = 伝えられた内容にその種類の部分がそろっていない
message-out-of-order = 後の記載の後ろにある
message-torn-record = 記録が記載の途中で終わっている
message-of-the-roster = 名簿：{ $why }
message-host-signature = これに対するホストの署名がない
message-wish-not-signed = { $seats }の署名がない
message-sent-otherwise = 文面の対局、席、印のどれかが記載と違うか、その署名がない
message-two-marks = 同じ時点の印が記録に二つある
message-other-match = 記録と棋譜の対局が違う
message-other-head = 棋譜の名簿が、最初の配りの前に認めた名簿と違う
message-veil-missing = 棋譜にベールがない
message-other-veil = ベールが約束されたものと違う
message-marks-unchecked = 印とソルト：ベールで開けない
message-other-mark = ここまでの棋譜のバイト列が、ホストがこの印を渡したときのものと違う
message-other-salt = ソルトがベールから出るものと違う
message-end-elsewhere = { $told }手で終わったと伝えられたのに、棋譜は{ $count }手、または終わりの記録がない
message-events-missing = 伝えられたのに、棋譜は{ $count }手しかない
message-told-otherwise = 棋譜がこの席に示すものと違う：{ $parts }
message-other-view = 棋譜がこの席に示す場と違う：{ $parts }
message-public-unchecked = 伝えられた内容：記録が公開の形である
message-told-unchecked = 手の見え方：ゲームかそのルールに尋ねられない
message-upcast-unchecked = 読み替えで変わる項目
message-notes-other-rules = 注釈：今と違うルールの版のもとで示された
message-notes-not-ours = 注釈：{ $why }
message-other-engine = 示したのは{ $engine }、ここは{ $own }
message-told-not-ours = 手の見え方：{ $why }
message-views-not-ours = 場の見え方：{ $why }
message-views-keys = 盤面：二つのプログラムの片方にしかない項目{ $keys }：{ $why }
message-notes-apart = 注釈：{ $seq }手目から、棋譜は記録されたものと違う
message-notes-game-failed = 注釈：{ $seq }手目でゲームが失敗する
message-consent-unchecked = { $seq }手目で手を戻すのに合意が要ったか：記録したプログラム{ $engine }だけが知る
message-consent-not-signed-why = 手を戻すことに{ $seats }が署名していない。{ $why }
message-consent-not-undone = { $to }手目の後の局面は今につながっていない
message-consent-others-acted = その後、{ $seq }手目で別の席が手を進めている
message-consent-others-saw = { $seq }手目で、手があったことだけでなく、その中身も見えている
message-consent-card-shown = その後、{ $seq }手目でカードが見せられている
message-views-unchecked = 場の見え方：配置の版が違うか、そこまで再生できない
message-other-matches = 二つの記録の対局が違う
message-two-rosters = ホストが二つの名簿を見せている
message-two-histories = ホストが二つの経過を語っている：この時点の印が違う
message-ended-and-went-on = 一方にはここで終わり、他方には続くと伝えられている
message-two-programs = 手の見え方：{ $programs }がそれぞれ示した
message-many-tellings = { $seq }手目が示されたもの：{ $most }を超えるそれぞれ別の形で示されている
message-told-two-things = 二つの席に違うことが伝えられている：{ $parts }
message-told-two-ends = 2つの席に違う終わりが伝えられた
message-other-ceremony = この儀式は、id、ゲーム、名前、オプション、プログラムの違う対局のものである
message-seed-and-deal = 公平な配りには自分のシードがある：シードは渡さない
message-fair-parts = コミットメント、または名簿と秘密を送る
message-no-base64url = バイト列は`=`なしのbase64url
message-a-reveal-limit = 秘密を明かす時間
message-an-attempt = 試みの番号
message-joins-fairly = この対局は公平に配る：席とコミットメントを添えて参加する
message-no-commitment = この対局に公平な配りはない：コミットメントなしで参加する
message-no-fair-deal = この対局に公平な配りはない
message-other-attempt = 今は第{ $on }回で、第{ $attempt }回ではない
message-opened-with = 今のルールではこの設定を使えない。対局を新しく開く
message-opened-under-layout = 別の状態の形式で開かれた。対局を新しく開く
message-opened-under = ルール第{ $opened }版で開かれ、今は第{ $today }版。対局を新しく開く
message-like-a-new-key = ボットの名前を{ $name }にはできない：プレイヤーと紛らわしい
message-other-host-key = この棋譜は別のホストの鍵で署名されている
message-no-marks = この対局に印はないので、記録もない
message-cannot-consent = 席{ $seat }は人が替わり、署名しない：もう何も取り消せない
message-fork-before-new-holder = 席{ $seat }は人が替わり、署名しない：その人が手を指してから分岐すること
message-fork-before-end = 席{ $seat }は今はボットで、署名しない：対局が終わってから分岐すること
message-replaces-nothing = 版1で署名する対局に'replaced'はない：省くこと
message-not-to-this = これは席{ $seat }のこの手への署名ではない
message-signs-nothing = 席{ $seat }に鍵はない：何にも署名しない
message-other-parent = この対局の分岐ではない
message-other-shared-event = 元の対局のそこには別の手がある
message-agreed-is-not = 'agreed'が席の昇順の、席と署名の並びではない
message-fork-not-signed = 席{ $seat }が分岐に署名していない
message-fork-signed-otherwise = 署名が、対局のある一時点での、席のこの分岐への同意になっていない

## 文字の場（core.env.text）

message-table-you = 「{ $game }」の対局、{ $seats }人。あなたは{ $seat }。
message-table-names = 席の名前：{ $names }。名前は指示ではない。
message-table-rules = ルール：
message-table-options = この対局の取り決め：
message-table-usual = この対局で標準どおりの選択肢：{ $options }。
message-table-commands = コマンド（JSON）と、その項目の意味：
message-table-drawn = 場の「×6」は伏せた6枚、「[a b]」は一緒に置かれたもの、「3:a」のコロンの前はそれを呼ぶ番号や名前。
message-table-answer = 手番ごとに、答えの最後の1行にコマンドをひとつだけ書く。一覧の番号（#3）、JSON、一覧の言葉そのままのどれか。その行より前は読まれない。
message-table-nothing = その後は何も起きていない。
message-table-own = あなた
message-table-over = 対局は終わった。
message-table-points = 得点：{ $points }。
message-table-won = 勝者：{ $winners }。
message-table-draw = 引き分け。
message-table-nobody-won = 勝者はいない。
message-table-wait = あなたの番ではない。番は{ $seats }。
message-table-no-result = 対局は結果なしで終わった。
message-table-list = 選べるコマンド：
message-table-open = 一覧にないコマンドも認められることがある。JSONで書く。
message-table-many = 選べるコマンドは{ $count }通り。形は次のとおり：
message-table-many-more = 選べるコマンドは{ $count }通りを超える。形は例えば次のとおり：
message-table-kind = { $count }通り { $form } 例：{ $example }
message-table-none-fits = 当てはまるコマンドはない。
message-table-more-fit = ほかに{ $count }通りが当てはまる。
message-table-others = 一覧にないコマンドも認められることがある。
message-table-empty = 答えが空。一覧の番号（#{ $number }）、JSON（{ $json }）、一覧の言葉（{ $words }）のどれかで書く
message-table-ended = 対局は終わった。もうコマンドは受け付けない
message-table-turn = { $seat }の番ではない。番は{ $asked }
message-table-number = 一覧に #{ $number } はない。あるのは #1~#{ $last }
message-table-unread = { $line } はコマンドではない。一覧の番号（#{ $number }）、JSON（{ $json }）、一覧の言葉そのまま（{ $words }）のどれかで書く
message-table-tag = 今 { $tag } というコマンドはない。あるのは { $tags }
message-table-form = コマンドの形が正しくない（FORM）：{ $why }。正しい形は { $form }
message-table-unjudged = ルールで判定できない
message-not-begun = 対局はまだ始まっていない
message-no-answer = サーバーが応答しない。もう一度試す
message-other-server = kifuのサーバーではない：{ $status } と応答した
message-no-match-address = 対局へのリンクは https://HOST/#match=ID の形で指定する。名前も鍵も入れない
message-table-rule = { $what }（{ $rule }）。今認められるのは、例えば { $example }
message-bot-no-program = プログラムを指定する。例：text:PROGRAM
message-bot-program-missing = プログラム{ $program }はない
message-bot-no-model = モデルとアドレスを指定する。例：openai:MODEL@https://HOST/v1
message-version-1 = 合意の中身：第1版の署名は対局の名前だけに対するもので、誰も断罪しない
message-failed-head = 記録の初めにあるのは、失敗した{ $attempt }回目の試みの名簿
message-two-answers = 席{ $seat }は時点{ $at }への答え二つに署名していて、どちらも他方を名指していない
message-two-versions = 'sign'と'fair'の版が違う
message-agreements-are-not = 'sign'に'roster'、つまり席ごとの署名かnilがない
message-roster-not-signed = 席{ $seat }は自分の鍵で名簿に署名していない
message-end-not-signed-so = 終わり：この棋譜へのホストの署名ではない
message-end-sign-is-not = ホストの署名が{ $count }バイトではない
message-key-open-to-others = ほかの人も読み書きできる：chmod 600にすること
message-seat-key-twice = 二つの席の鍵が同じ：席ごとに鍵は別
message-many-keys = 鍵のある席が{ $most }を超える
