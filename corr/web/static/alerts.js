// A sound or a notification says that it's your turn, and nothing else, if you want it.
import { find } from "./page.js";

const KINDS = ["sound", "notice"];
const isOn = (kind) => kept(kind) === "on" && (kind === "sound" || window.Notification?.permission === "granted");
let last = find("table").dataset.calls;

function kept(kind) {
  try { return localStorage.getItem(kind); } catch { return null; } // a browser may be told to keep nothing
}

export const isWanted = () => KINDS.some(isOn);

export function isCalled({ calls }) {
  if (calls && !last) {
    if (isOn("sound")) ring();
    if (isOn("notice") && !document.hasFocus()) notify(calls);
  }
  last = calls;
}

function notify(text) {
  try {
    return new Notification(text, { icon: document.querySelector("link[rel=icon]").href, tag: location.pathname });
  } catch { return null; } // there are browsers that only show what comes from elsewhere
}

function ring() {
  if (navigator.userActivation?.hasBeenActive === false) return; // it would sound at the first click, and late
  const air = new AudioContext(), loud = air.createGain();
  loud.connect(air.destination);
  loud.gain.setValueAtTime(.12, air.currentTime);
  loud.gain.exponentialRampToValueAtTime(.001, air.currentTime + .9);
  let voice;
  for (const [tone, after] of [[660, 0], [880, .14]]) {
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
  if (wants && target.id === "sound") ring();
  const isDeaf = wants && (!isOn(target.id) || (target.id === "notice" && !notify(target.textContent)));
  if (isDeaf) try { localStorage.removeItem(target.id); } catch { /* It is off. */ }
  find("deaf").hidden = !isDeaf;
  arrange();
});

document.addEventListener("shown", () => {
  isCalled(find("table").dataset);
  arrange();
});
arrange();
