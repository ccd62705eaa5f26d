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
