// What each player sets for themselves, kept in this browser: animations, and sounds, which are off unless wanted.

const TONES = { turn: [660, 880], event: [440], over: [523, 659, 784] };
const TONE_S = 0.09;

let audio = null;

function applySettings() {
  document.documentElement.dataset.still = String(saved.animations === false);
}

function setting(name, on, change) {
  const input = el("input", { type: "checkbox", id: `set-${name}`, checked: on });
  input.addEventListener("change", () => {
    save(() => ({ [name]: input.checked }));
    applySettings();
    change?.(input);
  });
  return el("label", { class: "check" }, input, say(name));
}

function drawSettings(choices = []) {
  return el("details", { class: "menu settings" }, el("summary", { "aria-label": say("settings"), title: say("settings") }, "⚙"),
    el("div", {}, choices, drawPaceSetting(), setting("animations", saved.animations !== false), setting("sounds", saved.sounds === true, () => sound("turn")), drawNotifySetting()));
}

// Play a short sound, if sounds are wanted; a browser allows it only once the page was clicked.
function sound(name) {
  if (saved.sounds !== true) return;
  audio ??= new AudioContext();
  audio.resume().catch(() => null);
  TONES[name].forEach((pitch, at) => {
    const begins = audio.currentTime + at * TONE_S;
    const volume = new GainNode(audio, { gain: 0.08 });
    volume.gain.setTargetAtTime(0, begins + TONE_S / 2, TONE_S / 3);
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    tone.connect(volume).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + 4 * TONE_S);
  });
}

// What is to be heard as an observation follows another.
function soundOf(before, now) {
  if (before === null || before.seat !== now.seat || before.count === now.count) return;
  const isMine = (each) => each.seat !== null && each.to_act.includes(each.seat);
  if (now.status === "over") sound("over");
  else sound(isMine(now) && !isMine(before) ? "turn" : "event");
}
