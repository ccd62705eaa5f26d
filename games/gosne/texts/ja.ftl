### ゴーンぎつね 日本語

game = ゴーンぎつね
begins-deal = 第{ $number }回
designer = 鈴木一馬（Tarte Games、2018年）

command-deal = 配る
command-give = 相棒に2枚渡す
command-declare = 申告する
command-play = カードを出す
doing-declare = { CARD($card) } を { $number } と申告する

## 設定

option-dealer = 最初の親の席
option-whistleblower = 内部告発：ゴーンカードとCEOカードでペアを決め、CEOカードの持ち主は名乗らない
option-alone = ゴーンカードの持ち主に味方がいないとき
option-alone-three = 1人で3人と戦う
option-alone-redeal = 配り直す
option-hands = ゲームの回数：1回、または全員が一度ずつ親をする4回（ルールブックのおすすめ）
option-chestnuts = 数字ごとのくりの数。4:2,13:3 のように書く（Xは0、ゴーンは13、CEOは14）。ルールブックには印刷されておらず、指定のないカードを1個とするのは私たちの仮定

## ボタン

part-number = { $number }と申告
part-lay-gun = オモテ（銃）
part-lay-chestnut = ウラ（くり）
field-number = 数字
field-gun-true = オモテ（銃）
field-gun-false = ウラ（くり）

## できごと

note-dealt = 親の{ SEAT($dealer) }が7枚ずつ配る。{ SEATS($one) }のペアと、{ SEATS($other) }のペアで争う。手札は誰にも見せず、ペアの相手にも内容を話さない。
note-dealt-whistleblower = 親の{ SEAT($dealer) }が30枚から7枚ずつ配る。残る2枚は誰も見ない。手札は誰にも見せず、内容も話さない。
note-dealt-hand = { SEAT($seat) }の手札は { CARDS($cards) }。
note-misdeal = ゴーンカードを誰も持っていない。カードをすべて集め、同じ親の{ SEAT($dealer) }が配り直す。
note-misdeal-alone = ゴーンカードを公開した{ SEAT($seat) }に味方がいない。カードをすべて集め、同じ親の{ SEAT($dealer) }が配り直す。
note-gosne-shown = { SEAT($seat) }がゴーンカードを公開し、最初のゴーンになる。
note-hyoju-opposite = 兵十は、どちらのペアであっても、{ SEAT($seat) }の向かいの{ SEAT($hyoju) }。
note-pairs-secret = { SEAT($seat) }とCEOカードの持ち主がペアになるが、持ち主は名乗らない。カードの交換はない。
note-paired = CEOカードを配られたのは{ SEAT($seat) }。{ SEATS($one) }のペアと、{ SEATS($other) }のペアで争う。
note-alone-both = ゴーンカードとCEOカードをどちらも配られた{ SEAT($seat) }は、1人で{ SEATS($other) }の3人と戦う。
note-alone-unseen = CEOカードは誰にも配られていなかったので、{ SEAT($seat) }は1人で{ SEATS($other) }の3人と戦う。
note-hand = 全{ $hands }回の第{ $hand }回。
note-chestnuts-assumed = くりは1枚1個。
note-chestnuts-told = くりの数は取り決めに従い、{ CARDS($cards) } に順に { LIST($counts) } 個。ほかのカードは1枚1個。
note-gave = { SEAT($seat) }が{ SEAT($to) }に2枚渡す。
note-gave-cards = { SEAT($seat) }が{ SEAT($to) }に { CARDS($cards) } を渡す。
note-first-gosne = 7トリックを行う。最初のゴーンは{ SEAT($seat) }、向かいの{ SEAT($hyoju) }が兵十、残る2人が検察官。
note-declared = { SEAT($seat) }がカードを伏せて出し、{ $number } と申告。
note-declared-card = { SEAT($seat) }が { CARD($card) } を伏せて出し、{ $number } と申告。
note-gun = { SEAT($seat) }が { CARD($card) } をオモテ向きに出す（銃）。
note-chestnut = { SEAT($seat) }がカードをウラ向きに出す（くり）。
note-chestnut-card = { SEAT($seat) }が { CARD($card) } をウラ向きに出す（くり）。
note-turned-up = くりがすべてオモテになる。出された順に { CARDS($cards) }。
note-truth = { SEAT($seat) }の申告は本当：{ CARD($card) }。
note-lie = { SEAT($seat) }の申告はウソ：{ CARD($card) } を { $number } と申告した。
note-lie-forced = { SEAT($seat) }の申告はウソ：10以上は申告できないので、{ CARD($card) } は「{ $number }」と申告するしかない。
note-lie-x = { SEAT($seat) }の申告はウソ：{ CARD($card) } を { $number } と申告した。どの数字でもウソになる。
note-lie-gosne = { SEAT($seat) }の申告はウソ：10以上は申告できないので、ゴーンカード { CARD($card) } は「{ $number }」と申告するしかない。
note-won-truth = { SEAT($seat) }の勝ち：{ CARD($card) } が{ $among ->
    [1] ただ1枚の
   *[other] 最も強い
}くり。
note-won-lie = { SEAT($seat) }の勝ち：{ CARD($card) } が{ $among ->
    [1] ただ1枚の
   *[other] 最も強い
}銃。
note-won-no-gun = 銃がないので、最も強い { CARD($card) } を出した{ SEAT($seat) }の勝ち。
note-won-prosecutor = 正直なゴーンを兵十が撃ったので2人は負け。検察官の{ $among ->
    [1] ただ1枚の
   *[other] 強い方の
}くり { CARD($card) } を出した{ SEAT($seat) }の勝ち。
note-won-prosecutor-gun = 正直なゴーンを兵十が撃ったので2人は負け。検察官にくりがないので、強い方の銃 { CARD($card) } を出した{ SEAT($seat) }の勝ち。
note-x-highest = Xはくりの中で最も強い。
note-x-lowest = Xは銃の中で最も弱い。
note-later = 同じ数字の { CARDS($equals) } では、後から出した{ SEAT($seat) }のカードが強い。
note-later-x = { CARDS($equals) } は同じ強さなので、後から出した{ SEAT($seat) }のカードが強い。
note-takes = { SEAT($seat) }が4枚をウラ向きに集め、次のゴーンになる。
note-takes-last = { SEAT($seat) }が4枚をウラ向きに集める。これが最後のトリック。
note-takes-unseen = 誰も見ていない2枚も、最後のトリックに勝った{ SEAT($seat) }のものになる。
note-pile-open = { SEAT($seat) }が集めたカードを公開する：{ CARDS($cards) }、くり{ $chestnuts }個。
note-counted = くりの数は、{ SEATS($one) }{ COUNT($one) ->
    [1] が1人で
   *[other] の2人が合わせて
}{ $chestnuts }個、{ SEATS($other) }の{ COUNT($other) }人が合わせて{ $chestnuts_other }個。
row-pile-open = 集めたくり
row-scored = 自分の側の得点
note-scored = 自分の側のくりの数がそれぞれの得点になる：{ POINTS($points) }。
note-next-hand = ここまでの得点：{ POINTS($totals) }。次の親は{ SEAT($dealer) }。
note-all-dealt = 全員が親を終えた。得点：{ POINTS($totals) }。
note-tied = 同点の{ SEATS($seats) }が勝利を分かち合う。
note-won-pair = { SEATS($seats) }のペアの勝ち。得点は{ POINTS($points) }。
note-won = { SEATS($seats) }の勝ち。得点は{ POINTS($points) }。

## 反則

violation-GOS-2 = { SEAT($seat) }は { CARDS($cards) } を渡そうとしたが、両方は手札にない：渡せるのは手札のカードだけ
violation-GOS-4 = { SEAT($seat) }は { CARD($card) } を { $number } と申告しようとした：{ $held ->
    [no] そのカードは手札にない。出せるのは手札のカードだけ
   *[yes] 申告できるのは実際の数字か、端数を切り捨てたその半分だけ
}
violation-GOS-5 = { SEAT($seat) }は { $number } と申告しようとした：申告できるのは1から9まで
violation-GOS-6 = { SEAT($seat) }が出そうとした { CARD($card) } は手札にない：出せるのは手札のカードだけ

refused-GOS-2 = { CARDS($cards) } は手札にそろっていません。手札から2枚を渡してください。
refused-GOS-4 = { $held ->
    [no] { CARD($card) } は手札にありません。手札のカードを出してください。
   *[yes] { CARD($card) } を { $number } とは申告できません。申告できるのは実際の数字か、端数を切り捨てたその半分です。
}
refused-GOS-5 = { $number } とは申告できません。申告できるのは1から9までです。
refused-GOS-6 = { CARD($card) } は手札にありません。手札のカードを出してください。

## ルール

rule-GOS-1 = 向かい合う2人どうし（席0と席2、席1と席3）がペア。手札は7枚ずつで、誰にも見せず、ペアの相手にも内容を話さない。
rule-GOS-2 = 交換：親が手札から2枚をペアの相手に渡し、相手はそれを見てから2枚を返す（同じカードでもよい）。次に親の左隣のペアも同じようにする。
rule-GOS-3 = 7トリックを行う。最初のゴーンは親の左隣。ゴーンの向かいが兵十、残る2人が検察官。
rule-GOS-4 = ゴーンは手札の1枚を伏せて出し、その数字（本当）か、端数を切り捨てた半分（ウソ）を申告する。
rule-GOS-5 = 申告できる数字は1から9まで。
rule-GOS-6 = 残る3人は時計回りに、手札のどのカードでも、オモテ（銃）かウラ（くり）で1枚ずつ出す。申告はしない。
rule-GOS-7 = 4枚そろえばくりをオモテにする。申告が本当なら最も強いくりが勝ち、銃は負ける。
rule-GOS-8 = 申告がウソなら最も強い銃が勝ち、くりは負ける。銃が1枚もなければ最も強いカードが勝つ。
rule-GOS-9 = 申告が本当なのに兵十が銃を出せば、ゴーンと兵十は負ける。検察官の強い方のくり、くりがなければ強い方の銃が勝つ。
rule-GOS-10 = 最も強いカードが並べば、後から出した方が勝つ。
rule-GOS-11 = Xはくりの中で最も強く、銃の中で最も弱い。
rule-GOS-12 = ゴーンはXを1から9のどの数字とも申告でき、必ずウソになる。
rule-GOS-13 = 勝者は4枚をウラ向きに集め、次のトリックのゴーンになる。
rule-GOS-14 = 手札がなくなれば、ペアごとに集めたカードのくりを数える。多い方の勝ち。
rule-GOS-15 = 何度か続けるとき（設定 `hands`）は、くりの数を得点として記し、親が時計回りに一巡するまで行う。
rule-GOS-16 = 内部告発（設定 `whistleblower`）：30枚を7枚ずつ配る。残る2枚は伏せたままで、最後のトリックの勝者のものになる。
rule-GOS-17 = 内部告発：ゴーンカードの持ち主は公開して最初のゴーンになる。誰も持たなければ、すべて集めて同じ親が配り直す。
rule-GOS-18 = 内部告発：ゴーンカードとCEOカードを配られた2人がペアで、ほかの2人がもう一方。CEOカードの持ち主は黙っている。交換はしない。
rule-GOS-19 = 内部告発：ゴーンカードは13、CEOカードはX。兵十は、どちらのペアでも、ゴーンの向かい。
rule-GOS-R1 = くりの数はルールブックに書かれていない。設定 `chestnuts` で決め、指定がなければ1個とするのは私たちの仮定である。
rule-GOS-R2 = くりが同数なら、同点の席すべてが勝利を分かち合う。
rule-GOS-R3 = 1人が両方のカードを持つか、CEOカードが伏せた2枚の中にあれば、ゴーンカードの持ち主が1人で3人と戦う。設定 `alone` が redeal なら、代わりに同じ親が配り直す。
rule-GOS-R4 = 自分の側のくりの数がそれぞれの得点になる。何度か続けるときは席ごとに合計し、最も多い席の勝ち。
rule-GOS-R5 = GOS-9で検察官のカードが並んだときも、後から出した方が勝つ。
rule-GOS-R6 = XとCEOカードは同じ強さで、後から出した方が強い。
rule-GOS-R7 = 直前のトリックは次のトリックが取られるまで全員が、交換したカードは精算までそのペアが、見直してよい。精算では取ったカードをすべて公開する。

## 場

zone-trick = トリック
zone-unseen = 伏せた2枚
zone-hand = 手札
zone-played = 出したカード
zone-last = 直前の1枚
zone-gave = 渡したカード
zone-got = もらったカード
zone-taken = 集めたカード
fact-hand = 回
fact-trick = トリック
fact-declared = 申告
fact-last-declared = 前のトリックの申告
fact-points = 得点
mark-partner = あなたの相棒
mark-dealer = 親
mark-gosne = ゴーン
mark-hyoju = 兵十
mark-prosecutor = 検察官
mark-gosne-card = ゴーンカードの持ち主
mark-ceo-card = CEOカードの持ち主
mark-gun = 銃
mark-chestnut = くり

## ふりがな

readings = 兵十《ひょうじゅう》 検察官《けんさつかん》 申告《しんこく》 銃《じゅう》 親《おや》

## 受け付けないわけ。英語の文はソースにある

message-other-hands = ゲームの回数は1回か{ $most }回で、{ $given }回ではない
message-no-such-rank = 数字は{ $x }（X）~{ $ceo }（CEO）で、{ $given }ではない
message-no-such-chestnuts = カードのくりは0~{ $most }個で、{ $given }個ではない
message-given-ascending = 渡すカードは小さい順に並べる

## コマンドの項目（文字で書くプレイヤーへ）

field-give-cards = ペアの相手に渡す2枚（小さい順）
field-declare-card = ウラで出すカード。0はX
field-declare-number = 申告する数字（1~9）。カードの数字か、その半分
field-play-card = 出すカード。0はX
field-play-gun = true：オモテ（銃）、false：ウラ（くり）
