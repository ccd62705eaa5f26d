### ウェブの言葉、日本語

problem-rule-violation = ルールで禁じられています。
problem-option = ゲームにないオプションか、取れない値です。
problem-not-now = 今はできません。
problem-no-game = そのゲームはここにありません。
problem-no-match = その対局はありません。
problem-conflict = その間に対局が進みました。
problem-key-refused = この対局の席の鍵ではありません。
problem-store = 対局の保管庫が今は使えません。
problem-internal = サーバーの誤りです。
problem-malformed = 要求の形が正しくありません。
problem-no-such-page = このアドレスには何もありません。
problem-wrong-method = このアドレスでは使えないメソッドです。
problem-too-large = 本文が大きすぎます。
problem-not-json = 本文は application/json でなければなりません。
problem-too-many = 要求が多すぎます。少し待ってください。
problem-wrong-host = このサーバーはその名前では応答しません。運営者が --allow-host で許可できます。
problem-wrong-origin = そのサイトのページからは観戦できません。
problem-busy = サーバーが混み合っています。すぐにもう一度お試しください。

## 遊ぶページ。{…} はページが差しはさむ

table-needs-script = このページにはJavaScriptが要ります。
table-title = 棋譜の卓
table-tagline = 卓を立てて、友だちと、ボットと、またはみんなで。
table-no-server = サーバーが応答しません。
table-language = 言語
table-keys-help = キー操作:矢印で札から札へ、スペースで選び、Enterで決め、Escで選び直し。

table-new-match = 新しい対局
table-game = ゲーム
table-how-many = 人数
table-players = { $count }人
table-who-plays = だれが遊ぶか
table-who-at = 席{ $seat }に着く人
table-name-at = 席{ $seat }の名前
table-player-here = この画面で遊ぶ
table-player-link = リンクから参加
table-player-bot = ボット:{ $bot }
table-player = プレイヤー{ $seat }
table-options = オプション
table-seat = 席{ $seat }
table-add = 行を足す
table-remove = 行を消す
table-key-twice = オプションに{ $value }の行が二つあります。一つ消してください。
table-limit = 手番の時間
table-no-limit = 制限なし
table-seconds = { $seconds }秒
table-public = ロビーに載せる(だれでも参加・観戦できる)
table-keep-momentary = 記憶の補助:一度しか見られないものも一覧に残す
table-open = 卓を立てる

table-your-matches = あなたの卓
table-no-your-matches = まだありません。立てた卓や参加した卓は、このブラウザに残ります。
table-public-matches = 公開の卓
table-no-public-matches = 今はありません。
table-forget = 卓とその鍵を忘れる
table-status-open = 空席あり
table-status-going = 対局中
table-status-over = 終局
table-status-abandoned = 中止

table-what-happens = できごと
table-played-by = { $by }が代わりに
table-stand-in = 代役
table-proposed-by = 提案した人:
table-the-table = テーブル
table-free-seat = 席{ $seat }(空き)
table-here = この画面
table-bot = ボット
table-absent = 不在
table-to-lobby = 卓の一覧

table-your-turn = あなたの番:
table-waiting-for = 待っている人:
table-spectating = 観戦中です。
table-nobody-to-act = だれの番でもありません。
table-and = 、
table-comma = 、
table-do = { $what }
table-which = どれにしますか
table-more-than-listed = できることが多すぎて、ここには並べきれません。破線の札も選べますが、使えるかどうかはルールで決まります。
table-clear = 選び直す
table-drop = { $part }を外す
table-more = その他
table-take-back = 自分の手を待ったする
table-abandon = 対局をやめる
table-fork = 途中のイベントから続ける
table-fork-from = イベント{ $at }から、別の対局で続けます。その前のできごと:
table-fork-why = 名前も札もそのまま。後で配られる札だけ新しく決まります。この対局は元のまま残ります。
table-fork-event = どのイベントから続けるか
table-fork-here = ここから続ける
table-fork-ask = ほかの人に提案する
table-forked = イベント{ $at }からの続きが、別の対局でも行われています。
table-go-there = その対局へ
table-cancel = やめる
table-accept = 同意する
table-reject = 断る
table-withdraw = 提案を取り下げる
table-proposes-take_back = が最後の手の待ったを提案しています。
table-proposes-fork = がイベント{ $at }から別の対局で続けることを提案しています。
table-proposal-rejected = 提案は断られました。
table-proposes-abandon = が対局の中止を提案しています。
table-lost = 接続が切れました。つなぎ直しています…
table-hand-over = { $name }に交代
table-curtain = 札は伏せてあります。
table-curtain-turn = 札は伏せてあります。番の人:
table-curtain-why = ここに座った人には、その席から見えるものだけが見えます。
table-i-am = { $name }です。札を見せて

table-seats-free = あと{ $count }人を待っています。全員そろうと始まります。
table-link = この卓へのリンク
table-copy-link = リンクをコピー
table-copied = コピーしました
table-your-name = あなたの名前
table-join = 参加する
table-another-name = もう一人の名前
table-join-too = もう一人も参加
table-win = の勝ち!
table-abandoned = 対局は中止されました。
table-step-through = 対局を振り返る
table-get-log = 棋譜をダウンロード

## 遊び方

table-rules = 遊び方とルール
table-learn = 遊び方を見る
table-how-to-play = { $what }の遊び方
table-in-the-rules = ルールの中で見る
table-rules-by-number = 番号順のルール
table-close = 閉じる
table-minutes = { $count }分
table-difficulty-1 = かんたん
table-difficulty-2 = ふつう
table-difficulty-3 = やや難しい
