// The table without loading whole pages. What a click does, and every word, is in the page itself. With its imports this
// is served as one file.
import { ask, find, here, show, state } from "./page.js";
import "./alerts.js";
import "./updates.js";
import "./board.js";

// Beside the board there is room for the whole log, which comes once the page is there, and stays whole.
if (!location.search && document.querySelector(".steady, #boards [name=log]") && matchMedia("(min-width: 84.01rem)").matches) {
  ask(`${here}?log=whole`).then((page) => state.deeds || show(...page), () => {});
}

// Anyone who types writes orders; Enter sends them, and Shift and Enter begin another line.
const A_SIGN = /^[\p{L}\p{N}]$/u;

document.addEventListener("keydown", (event) => {
  const box = find("orders"), { target, key } = event;
  if (!box || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (target === box && key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    box.form.requestSubmit(box.form.querySelector("button"));
  } else if (A_SIGN.test(key) && !target.closest("input, textarea, select, [contenteditable]")) {
    box.focus();
  }
});

// The time left counts down by what was left when the page came, whatever the clock of this computer shows.
const MINUTE = 60000, OFTEN = 15000, seen = new WeakMap();
const filled = (words, ...numbers) => words.replaceAll("#", () => numbers.shift());

function tell() {
  for (const each of document.querySelectorAll("[data-left]")) {
    if (!seen.has(each)) seen.set(each, Date.now());
    const left = Math.max(0, Math.floor(each.dataset.left - (Date.now() - seen.get(each)) / MINUTE)), hours = Math.floor(left / 60);
    const words = hours < 24 ? filled(each.dataset.hours, hours, left % 60) : filled(each.dataset.days, Math.floor(hours / 24), hours % 24);
    if (each.textContent !== words) each.textContent = words;
  }
}

tell();
setInterval(tell, OFTEN);
