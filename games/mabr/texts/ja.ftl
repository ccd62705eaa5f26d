### MABR 日本語

game = MABR 大理石（マーブル）の煌めき
begins-deal = ゲームの準備
begins-round = { $number }巡目
designer = つくえゲームズ（2016年）

command-deal = カードを並べる
command-draw = 略称でカードを引く
command-word = 言葉を宣言する
command-swap = カードを交換する
command-judge = 判定する
command-conceal = カードを伏せる
command-pass = パス
doing-draw = 「{ $abbreviation }」で引く
doing-word = 「{ $word }」を宣言：{ NUMBERED($word, $cards) }
numbered = { $item }（{ $number }枚目）
unnumbered = { $item }（固定）
doing-swap = 自分の{ NTH($place) }枚目を{ SEAT($seat) }の{ NTH($other) }枚目と交換する

## 設定

option-first = 最初に手番を行う席
option-judge = 略称と言葉の判定者
option-judge-lexicon = 単語リスト
option-judge-table = ほかのプレイヤー
option-lexicon = 判定に使う単語リストの名前
option-min_word = 言葉の最少文字数
option-pass = 二巡目からのパス
option-pass-stuck = 何も引けないときだけ
option-pass-free = いつでも
option-idle_rounds = 誰も引かず言葉も完成しない巡がこの数だけ続くと、ゲームが終わる（0なら終わらない）
option-pass_after_void = 一巡目でも、宣言が無効にされたらパスできるか

## できごと

note-laid-out = 固定カード { CARDS($cards) } を並べ、ほかのカードは文字ごとによく混ぜ、アルファベットを上にして{ $stacks }の山に重ねる。
note-goal = { $seats }人での勝利点は{ $goal }点。
note-first-round = 一巡目は全員がカードを引く。{ SEAT($seat) }から。
note-free-choice = ここからは、引く・言葉を作る・交換のどれかを選ぶ。{ SEAT($seat) }の手番。
note-free-pass = 取り決めにより、ここからはパスもできる。
note-abbreviation = { SEAT($seat) }が「{ $abbreviation }」を宣言。
note-drew = { SEAT($seat) }が { LIST($letters) } の山から1枚ずつ引き、{ NTH($places) }枚目に置く。
note-looks = { SEAT($seat) }は { CARDS($cards) } を確認中。伏せると手番が終わる。
note-word = { SEAT($seat) }が「{ $word }」を宣言：{ NUMBERED($word, $cards) }。
note-full-size = 小さい字は普通の大きさのカードで作る：{ CARDS($cards) }。
note-also-uses = 固定カードや表のカード { CARDS($cards) } も加えた（得点なし）。
note-right = 「{ $word }」完成！ { CARDS($cards) } が表になり{ $points }点。{ SEAT($seat) }は合わせて{ $score }点。
note-wrong = 「{ $word }」は宣言どおりにならなかった：{ CARD($said) } のはずが { CARD($card) }。{ CARDS($cards) } を全員に見せて伏せ直し、得点はない。
note-reached = { SEAT($seat) }が{ $score }点となり、勝利点{ $goal }に到達。
note-goal-word = 到達する最後の言葉は4文字以上：「{ $word }」は{ $letters }文字。
note-last-turns = { SEATS($seats) }が{ COUNT($seats) ->
    [1] あと一回だけ
   *[other] あと一回ずつ
}手番を行い、ゲームが終わる。
note-last-turn-over = { SEAT($seat) }の到達後、ほかの全員が最後の手番を終えた。ゲーム終了。
note-swapped = { SEAT($seat) }が自分の{ NTH($place) }枚目の { $letter } を、{ SEAT($other) }の{ NTH($at) }枚目の { $letter } と交換。
note-places-stay = 入れ替わるのはひらがなだけで、何枚目かは変わらない。
note-concealed = { SEAT($seat) }が{ $count }枚を伏せる。もう確認できない。
note-passed = { SEAT($seat) }はパス。
note-all-passed = 全員の最後の手番がパスだったので、ゲーム終了。
note-idle = { $rounds }巡のあいだ、誰もカードを引かず、言葉も完成しなかったので、ゲーム終了。
note-judged = { SEAT($seat) }が判定した。
note-accepted = 「{ $declared }」は認められた：{ COUNT($object) ->
    [0] 異議なし
   *[other] { SEATS($object) }が異議を唱えたが、半数を超えない
}。
note-void = 「{ $declared }」は無効：{ COUNT($object) ->
    [1] ただ1人の判定者{ SEATS($object) }が異議を唱えた
   *[other] { SEATS($object) }が異議を唱え、半数を超えた
}。{ SEAT($seat) }は選び直す。
note-level = { SEATS($seats) }が{ $points }点で並ぶ：表のカードの枚数を比べる（{ POINTS($counts) }）。
note-won = { COUNT($seats) ->
    [1] { SEATS($seats) }の勝ち
   *[other] { SEATS($seats) }が勝利を分かち合う
}。得点は{ POINTS($points) }。

## 反則

violation-MABR-2 = { SEAT($seat) }は一巡目にそれはできない：一巡目は全員がカードを引く
violation-MABR-4 = { SEAT($seat) }は「{ $abbreviation }」を宣言したが、{ $letter } の山は残り{ $left }枚で足りない
violation-MABR-5 = { SEAT($seat) }が宣言した「{ $abbreviation }」は、すでに使われている
violation-MABR-7 = { $how ->
    [place] { SEAT($seat) }に{ NTH($card) }枚目のカードはない
    [twice] { SEAT($seat) }はカード { NTH($card) } を2回使った：使えるのは1枚につき1回
    [letter] { SEAT($seat) }は{ NTH($card) }枚目を「{ $kana }」と言ったが、そのアルファベットは { $letter }
   *[none] { SEAT($seat) }の「{ $word }」で新たに表になるカードがない：少なくとも1枚は必要
}
violation-MABR-8 = { SEAT($seat) }はカード { NTH($card) } を「{ $kana }」と言ったが、表には「{ $shows }」とある
violation-MABR-10 = { $how ->
    [own] { SEAT($seat) }は自分のカード同士を交換しようとした：相手はほかのプレイヤー
    [place] { SEAT($whose) }に{ NTH($place) }枚目のカードはない
    [face-up] { SEAT($whose) }の{ NTH($place) }枚目は表のカード：交換できるのは伏せたカードだけ
   *[letter] { SEAT($seat) }は { $mine } を { $theirs } と交換しようとした：同じアルファベットでなければならない
}
violation-MABR-12 = { SEAT($seat) }は「{ $word }」で勝利点{ $goal }に届く：その言葉は4文字以上でなければならない
violation-MABR-R1 = { SEAT($seat) }は「{ $abbreviation }」を宣言したが、{ $letter } の山はない：山のある文字だけを使える
violation-MABR-R2 = { SEAT($seat) }は「{ $abbreviation }」を宣言した：略称は2文字以上
violation-MABR-R3 = { $how ->
    [kana] { SEAT($seat) }の「{ $word }」の「{ $kana }」はどのカードにもない
   *[short] { SEAT($seat) }の「{ $word }」は短い：言葉は{ $least }文字以上
}
violation-MABR-R5 = { $visible ->
    [0] { SEAT($seat) }には伏せるカードがない
   *[other] { SEAT($seat) }には見えているカードがある：まず伏せなければならず、それで手番が終わる
}
violation-MABR-R6 = { SEAT($seat) }はパスしたが、まだ引ける略称がある
violation-MABR-R7 = { SEAT($seat) }の宣言「{ $declared }」は単語リスト（{ $lexicon }）にない

refused-MABR-2 = 一巡目は全員がカードを引きます。略称を宣言してください。
refused-MABR-4 = { $letter } の山は残り{ $left }枚なので、「{ $abbreviation }」では引けません。
refused-MABR-5 = 「{ $abbreviation }」は、このゲームでもう使われています。
refused-MABR-7 = { $how ->
    [place] { NTH($card) }枚目のカードはありません。
    [twice] カード { NTH($card) } を2回使っています。使えるのは1枚につき1回です。
    [letter] { NTH($card) }枚目のアルファベットは { $letter } なので、「{ $kana }」にはなりません。
   *[none] 「{ $word }」で新たに表になるカードがありません。少なくとも1枚は必要です。
}
refused-MABR-8 = カード { NTH($card) } は表の「{ $shows }」です。「{ $kana }」にはなりません。
refused-MABR-10 = { $how ->
    [own] 自分のカード同士は交換できません。相手はほかのプレイヤーです。
    [place] { SEAT($whose) }に{ NTH($place) }枚目のカードはありません。
    [face-up] { SEAT($whose) }の{ NTH($place) }枚目は表のカードです。交換できるのは伏せたカードだけです。
   *[letter] { $mine } は { $theirs } と交換できません。同じアルファベットのカードを選んでください。
}
refused-MABR-12 = 「{ $word }」で勝利点{ $goal }に届きますが、届く言葉は4文字以上でなければなりません。
refused-MABR-R1 = { $letter } の山はないので、「{ $abbreviation }」では引けません。
refused-MABR-R2 = 「{ $abbreviation }」は短すぎます。略称は2文字以上です。
refused-MABR-R3 = { $how ->
    [kana] 「{ $kana }」はどのカードにもありません。
   *[short] 「{ $word }」は短すぎます。言葉は{ $least }文字以上です。
}
refused-MABR-R5 = { $visible ->
    [0] 伏せるカードがありません。
   *[other] 見えているカードがあります。先に伏せてください。それで手番が終わります。
}
refused-MABR-R6 = まだ引ける略称があるので、パスできません。
refused-MABR-R7 = 「{ $declared }」は単語リストにありません。

## ルール

rule-MABR-1 = 固定カードは1枚ずつ、ひらがなが分かるように並べる。ほかのカードは文字ごとによく混ぜ、アルファベットを上にして山に重ねる。
rule-MABR-2 = 一巡目は全員がカードを引く。二巡目からの手番は、引く・言葉を作る・交換のどれか。
rule-MABR-3 = 一般に知られたアルファベットの略称を宣言し、その文字の山から順に1枚ずつ引き、ひらがなを確認して伏せる。
rule-MABR-4 = 山のカードが足りない文字を含む略称は宣言できない。
rule-MABR-5 = 誰かが一度使った略称は、そのゲームではもう使えない。
rule-MABR-6 = 一度伏せたカードのひらがなは、後から確認できない。
rule-MABR-7 = 言葉を宣言し、どのカードがどの文字かを言う。カードは1枚につき1回。自分の伏せたカードを少なくとも1枚表にする（裁定）。伏せたカードは、そのアルファベットのひらがなとしか言えない。
rule-MABR-8 = 自分の表のカードと固定カードも、表示のひらがなのまま、それぞれ1回ずつ言葉に加えられる。
rule-MABR-9 = すべて宣言どおりなら、新たに表にしたカードはそのまま得点になる。濁音・半濁音は2点、ほかは1点。
rule-MABR-10 = 自分の伏せたカードを、ほかのプレイヤーの同じアルファベットの伏せたカードと交換する。仕掛けた側だけが、得たカードを一度確認できる（必ず確認するのは裁定）。
rule-MABR-11 = 勝利点は2人で20点、3人で18点、4人で16点。
rule-MABR-12 = 勝利点に到達する最後の言葉は、4文字以上でなければならない。到達するかどうかは宣言した言葉の点で決まる（裁定）。
rule-MABR-13 = 誰かが勝利点に到達したら、ほかの全員があと一回ずつ手番を行い、ゲームが終わる。
rule-MABR-14 = 最も得点の多い者の勝ち。同点なら表のカードが少ない者。
rule-MABR-R1 = 宣言できるのは、山のある13のアルファベットだけ。
rule-MABR-R2 = 略称は2文字以上。
rule-MABR-R3 = 言葉は普通の表記のひらがなで、小さい字は普通の大きさのカードで作り、1文字と数える。カードにない字は使えない。言葉は2文字以上（設定 `min_word` で変わる）。
rule-MABR-R4 = 言ったとおりでないカードがあれば、言葉の順に最初の間違いまでを全員に見せて伏せ直す。得点はなく、手番は終わる。
rule-MABR-R5 = 確認中のカードや全員に見せたカードは、手番のプレイヤーが伏せるまで見えている。伏せると手番が終わる。
rule-MABR-R6 = 引けるものがなければパスできる（lexiconではリストの未使用の略称をどれも引けないとき、tableでは山の残りが合わせて2枚に満たないとき）。一巡目はその手番の宣言が無効になったときも、設定 `pass` が free なら二巡目からはいつでもできる。全員の最後の手番がパスなら、ゲームが終わる。
rule-MABR-R7 = 設定 `judge` による。lexiconなら、略称と言葉は単語リストにあるものに限る（kifu-ja-2にあるのは、名詞、辞書形の動詞と形容詞、副詞、あいさつ、よく知られた地名）。tableなら、ほかの全員が判定し、半数を超える異議があれば無効で、選び直す。
rule-MABR-R8 = それでも並べば、勝利を分かち合う。
rule-MABR-R9 = 交換で入れ替わるのはひらがなだけで、何枚目かは変わらない。
rule-MABR-R10 = 誰もカードを引かず、言葉も完成しない巡が3つ（設定 `idle_rounds`）続けば、ゲームが終わる。
rule-MABR-R11 = 2人でtableのときは、もう1人だけで判定する。その異議だけで半数を超える。

## 場

zone-fixed = 固定カード
zone-stacks = 山
zone-row = 手元のカード
fact-round = 巡
fact-goal = 勝利点
fact-used = 使われた略称
fact-idle = 進展のない手番
fact-abbreviation = 宣言された略称
fact-word = 宣言された言葉
fact-score = 得点
mark-turn = 手番
mark-judged = 判定済み
mark-reached = 到達
mark-looked-at = 確認中
mark-shown = 公開中
mark-face-down = 伏せ
mark-declared = 宣言
field-stacks = 山
field-abbreviation = 略称
field-word = 言葉
field-cards = カード
field-place = 自分のカード
field-other = 相手のカード
part-judge-accept = 認める
part-judge-object = 異議
part-turn-conceal = 伏せる
part-turn-pass = パス

## ふりがな

readings = 略称《りゃくしょう》 宣言《せんげん》 仮名《かな》 濁音《だくおん》 煌《きら》 異議《いぎ》

## 受け付けないわけ。英語の文はソースにある

message-shortest-word = 言葉は少なくとも1文字で、{ $given }ではない
message-left-out-list = このkifuには単語リスト{ $name }が入っていません。ご自分のリストを登録するか、パッケージインデックスからkifuを入れてください。
message-idle-rounds = 巡の数は0以上で、{ $given }ではない
message-no-word-list = 単語リスト{ $name }はない。あるもの：{ $known }
message-another-list = { $name }はすでに別の単語リストの名前である。変えた単語リストには新しい名前を付ける
message-not-as-released = 単語リスト{ $name }が公開されたものと違う。ダイジェストは{ $digest }
message-lexicon-not-loaded = 単語リスト{ $name }を{ $place }から読み込めない：{ $cause }
message-no-such-lexicon = { $place }は単語リスト{ $name }ではない
message-the-stacks = 山は{ $letters }の順に並ぶ
message-the-stack = { $letter }の山に{ $kana }が1枚ずつ
message-on-no-card = { $kana }のカードはない
message-an-abbreviation = 略称はAからZまでの1文字以上
message-in-hiragana = 言葉はひらがなで書く
message-no-place-or-letter = { $card }は位置でも固定カードでもない
message-a-place = 位置は0以上、席は0~{ $last }

## コマンドの項目（文字で書くプレイヤーへ）

field-draw-abbreviation = 略称の文字を順に。それぞれの山から1枚ずつ引く
field-word-word = ひらがなの言葉
field-word-cards = 言葉のひらがなごとに使うカードを順に。自分のカードは0から数えた番号（場の番号より1小さい）、固定カードはその文字
field-swap-place = 自分の伏せたカード。0から数え、場の番号より1小さい
field-swap-seat = 相手の席
field-swap-other = 相手の、同じアルファベットのカード。0から数え、場の番号より1小さい
field-judge-accept = 設定 `judge` が"table"のときだけ。true：認める、false：異議
