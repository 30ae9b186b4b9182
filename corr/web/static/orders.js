// Who types anywhere writes orders; Enter sends them, and Shift and Enter begin another line.
import { find } from "./page.js";

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
