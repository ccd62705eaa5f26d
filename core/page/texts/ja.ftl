### 対局のページの日本語

# 誰から見たものか
page-title = { $title }：{ $seats }
page-by = ゲームデザイン { $designer }
page-recorded = 対局 { $match }、記録 { $engine }
page-seen-by = 視点
page-all-open = すべて公開
page-narrower = ここから見えたものだけ
page-language = 言語
page-furigana = ふりがな
page-needs-script = このページにはJavaScriptが要ります。すべてこのファイルの中にあり、どこからも何も読み込みません。

# 手順
page-steps = すべての手
page-start = 最初の手の前
page-step = { $step }手目（全{ $of }手）
page-to-act = 手番
page-first = 最初へ
page-back-section = ひとつ前の区切りへ
page-back = 1手戻る
page-forward = 1手進む
page-forward-section = 次の区切りへ
page-last = 最後へ
page-place = 何手目か

# 得点とルール
page-sheet = 得点表
page-sheet-of = { $title } 得点表
page-result = 結果
page-winner = 勝ち
page-draw = 引き分け
page-loss = 負け
page-unfinished = 未了
page-options = この対局の設定
page-rules = ルール
page-rule = ルール{ $rule }
page-middle = 場の中央

page-analysis = 分析
page-analysis-about = 選んだ手で勝率がどう変わったか。そのときに分かっていたことだけから見るので、運の悪さは失敗に数えません。
page-turning-points = 分かれ目
page-no-turning-points = ありません：そのときに分かっていた限り、大きく損をした手はありません。
page-swing = 大きく損をした手
