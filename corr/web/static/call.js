// Who wants it hears a sound or is shown a notice when their turn comes: that it is theirs, and nothing else.
import { find } from "./page.js";

const KINDS = ["sound", "notice"];
const isOn = (kind) => localStorage.getItem(kind) === "on" && (kind === "sound" || window.Notification?.permission === "granted");
let last = find("table").dataset.calls;

export const isWanted = () => KINDS.some(isOn);

export function isCalled({ calls }) {
  if (calls && !last) {
    if (isOn("sound")) ring();
    if (isOn("notice") && document.hidden) new Notification(calls, { icon: document.querySelector("link[rel=icon]").href, tag: location.pathname });
  }
  last = calls;
}

function ring() {
  const air = new AudioContext(), loud = air.createGain();
  loud.connect(air.destination);
  loud.gain.setValueAtTime(.12, air.currentTime);
  loud.gain.exponentialRampToValueAtTime(.001, air.currentTime + .9);
  for (const [tone, after] of [[660, 0], [880, .14]]) {
    const voice = air.createOscillator();
    voice.frequency.value = tone;
    voice.connect(loud);
    voice.start(air.currentTime + after);
    voice.stop(air.currentTime + .9);
  }
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
  localStorage.setItem(target.id, wants ? "on" : "off");
  if (wants && target.id === "sound") ring();
  arrange();
});

document.addEventListener("shown", () => {
  isCalled(find("table").dataset);
  arrange();
});
arrange();
