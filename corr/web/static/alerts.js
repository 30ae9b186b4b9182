// A sound or a notification says that it's your turn, if you want it; a sound also what this page newly tells.
import { find } from "./page.js";

// Each tone in hertz, and after how many seconds it begins.
const TONES = {
  turn: [[660, 0], [880, .14]], moved: [[440, 0]], refused: [[220, 0], [175, .12]],
  capture: [[520, 0], [390, .1]], check: [[880, 0], [990, .1], [880, .2]],
};
const KINDS = ["sound", "notice"];
const isOn = (kind) => kept(kind) === "on" && (kind === "sound" || window.Notification?.permission === "granted");
let last = find("table").dataset.calls;

function kept(kind) {
  try { return localStorage.getItem(kind); } catch { return null; } // a browser may be told to keep nothing
}

export const isWanted = () => KINDS.some(isOn);

export function isCalled({ calls }, event) {
  const isTurn = calls && !last;
  if ((event || isTurn) && isOn("sound")) ring(event ?? "turn");
  if (isTurn && isOn("notice") && !document.hasFocus()) notify(calls);
  last = calls;
}

function notify(text) {
  try {
    return new Notification(text, { icon: document.querySelector("link[rel=icon]").href, tag: location.pathname });
  } catch { return null; } // there are browsers that only show what comes from elsewhere
}

function ring(event) {
  if (navigator.userActivation?.hasBeenActive === false) return; // it would sound at the first click, and late
  const air = new AudioContext(), loud = air.createGain();
  loud.connect(air.destination);
  loud.gain.setValueAtTime(.12, air.currentTime);
  loud.gain.exponentialRampToValueAtTime(.001, air.currentTime + .9);
  let voice;
  for (const [tone, after] of TONES[event]) {
    voice = air.createOscillator();
    voice.frequency.value = tone;
    voice.connect(loud);
    voice.start(air.currentTime + after);
    voice.stop(air.currentTime + .9);
  }
  voice.onended = () => air.close();
}

function arrange() {
  const switches = find("calls");
  if (!switches) return;
  switches.hidden = false;
  for (const kind of KINDS) find(kind).ariaPressed = isOn(kind);
}

document.addEventListener("click", async ({ target }) => {
  if (!KINDS.includes(target.id)) return;
  const wants = !isOn(target.id);
  if (wants && target.id === "notice") await window.Notification?.requestPermission();
  try { localStorage.setItem(target.id, wants ? "on" : "off"); } catch { /* It stays off. */ }
  if (wants && target.id === "sound") ring("turn");
  const isDeaf = wants && (!isOn(target.id) || (target.id === "notice" && !notify(target.textContent)));
  if (isDeaf) try { localStorage.removeItem(target.id); } catch { /* It is off. */ }
  find("deaf").hidden = !isDeaf;
  arrange();
});

document.addEventListener("shown", ({ detail }) => {
  isCalled(find("table").dataset, detail.events[0]);
  arrange();
});
arrange();
