// One player against two bots: a table to click at, undo, two languages, a saved game, and a place to drop a log on.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { load, type KifuError, type Lang, type Legal, type Match, type Observation, type Thing } from "kifu";

type Seen = { table: Observation; legal: Legal[]; words: string[] };
const YOU = 0;
const SAYS = {
  en: { turn: "Your turn", over: "Over", undo: "Undo", again: "Again", other: "日本語", drop: "Drop a log here: it is audited.", fine: "Nothing is wrong." },
  ja: { turn: "あなたの番", over: "終わり", undo: "戻す", again: "もう一度", other: "English", drop: "棋譜をここに落とすと検査します。", fine: "問題はありません。" },
};
const kifu = await load({ worker: true }); // the rules and the bots
const begin = (): Promise<Match> => kifu.new("take_and_share", { seats: ["You", "Ren", "Mio"] });
let busy = false;

function App({ first }: { first: Match }) {
  const [match, setMatch] = useState(first);
  const [lang, setLang] = useState<Lang>("en");
  const [seen, setSeen] = useState<Seen | null>(null);
  const [changes, setChanges] = useState(0);
  const [told, setTold] = useState("");
  const [unkept, setUnkept] = useState("");
  const say = SAYS[lang];

  // Make a change, one at a time, and let the bots play until it is your turn. A refusal has the number of the rule, and what it asks.
  async function change(made: () => Promise<unknown>) {
    if (busy) return;
    busy = true;
    await made().then(bots).then(() => setTold(""), (error: KifuError) => setTold(`${error.rule ?? error.kind}: ${error.message}`));
    busy = false;
    setChanges((many) => many + 1);
  }
  async function bots() {
    while (match.status === "going" && !match.toAct.includes(YOU)) {
      const [seat] = match.toAct;
      await match.play(seat, await match.choose(seat, "easy"));
    }
  }
  useEffect(() => { // say so if the storage is full
    const keep = () => match.json().then((text) => localStorage.setItem("kept", text)).then(() => setUnkept(""), ({ message }: Error) => setUnkept(message));
    void change(keep);
    return match.onChange(keep);
  }, [match]);
  const look = async () => setSeen({ table: await match.observe(YOU, { lang }), legal: await match.legal(YOU, { lang }), words: await match.words(YOU, { lang }) });
  useEffect(() => void look(), [lang, changes]);

  async function audit(event: DragEvent) {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    const { ok, findings } = await kifu.audit(new Uint8Array(await file.arrayBuffer()), { lang });
    setTold(`${file.name}: ${ok ? say.fine : findings.map(({ rule, message }) => `${rule ?? ""} ${message}`).join("; ")}`);
  }

  if (!seen) return <p role="status">…</p>;
  const { table: { scene, labels, result }, legal, words } = seen;
  const press = (command: Legal) => change(() => match.play(YOU, command, { lang }));
  const naming = ({ part }: Thing) => legal.find(({ parts }) => part && parts.length === 1 && String(parts[0]) === String(part));
  const draw = (thing: Thing) => {
    const command = naming(thing), text = thing.faces.map((face) => face.text).join(" ") || `▮${thing.count}`;
    return command ? <button onClick={() => press(command)}>{text}</button> : <span> {text} </span>;
  };
  return <div onDragOver={(event) => event.preventDefault()} onDrop={audit}>
    <p role="status">{result ? `${say.over}: ${match.seats.map((name, seat) => `${name} ${result.points[seat]}`).join(", ")}` : say.turn} {told} {unkept}</p>
    <div>{legal.map((command) => <button onClick={() => press(command)}>{command.text}</button>)}</div>
    {[...(scene?.places ?? []), ...(scene ? [scene.table] : [])].map((place) => <section>
      <h2>{place.seat === null ? "" : match.seats[place.seat]}</h2>
      {place.zones.filter(({ things }) => things.length).map((zone) => <p>{labels[zone.label]}: {zone.things.map(draw)}</p>)}
    </section>)}
    {result ? <button onClick={async () => setMatch(await begin())}>{say.again}</button> : <button onClick={() => change(() => match.undo(YOU, { lang }))}>{say.undo}</button>}
    <button onClick={() => setLang(lang === "en" ? "ja" : "en")}>{say.other}</button>
    <ol>{words.map((line) => <li>{line}</li>)}</ol>
    <p>{say.drop}</p>
  </div>;
}

const kept = localStorage.getItem("kept");
const app = document.getElementById("app")!;
app.replaceChildren();
render(<App first={kept ? await kifu.open(kept) : await begin()} />, app);
