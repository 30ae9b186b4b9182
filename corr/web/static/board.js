// The arrow keys move between squares; a mouse or a finger drags a piece, of which a copy follows it.
import { byKey, find, isOwn, keyOf, square, squares, state } from "./page.js";

const A_MOMENT = 4000, A_TREMBLE = 6;
// Who plays with a mouse steps through the own boards with the arrow keys, wherever the last click was.
let isByMouse = false;
let at = "", grip = null, copy = null, dropped = "", lift = () => {};

function settle(focus) {
  const all = squares();
  for (const each of all) each.dataset.square = each.textContent.slice(0, 2);
  const one = square(focus) ?? square(at) ?? all.find(isOwn) ?? all[56];
  for (const each of all) {
    each.tabIndex = each === one ? 0 : -1;
    each.classList.toggle("own", isOwn(each));
  }
  const sure = find("sure");
  if (document.activeElement === document.body) (sure ?? byKey(focus))?.focus({ preventScroll: !sure });
}

document.addEventListener("shown", ({ detail: { focus, old, events } }) => {
  settle(focus);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) animate(old, events);
});
document.addEventListener("focusin", ({ target }) => { at = target.dataset.square ?? at; });

document.addEventListener("keydown", async (event) => {
  const all = squares(), now = all.indexOf(event.target), row = now & 56, file = now & 7;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Tab") isByMouse = false;
  const step = { ArrowLeft: "earlier", ArrowRight: "later" }[event.key];
  if (step && (now < 0 || isByMouse) && !event.target.closest("input, textarea")) {
    event.preventDefault();
    return find(step)?.click();
  }
  if (event.key === "Escape") {
    drop();
    await state.busy;
    document.querySelector('#sure a, #now, [name=from][value=""], [name=drop][value=""], [name=ghost][value=""]')?.click();
  }
  const next = now < 0 ? undefined : {
    ArrowUp: now - 8, ArrowDown: now + 8, ArrowLeft: file ? now - 1 : now, ArrowRight: file < 7 ? now + 1 : now,
    Home: row, End: row + 7, PageUp: file, PageDown: 56 + file,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  if (!all[next]) return;
  settle(all[next].dataset.square);
  all[next].focus();
});

// ---------------------------------------------------------------- motion

const MOTION = { duration: 140, easing: "ease-out" };
const pieces = (main) => new Map([...main.querySelectorAll("[data-square]")].filter((each) => each.textContent.includes(", your "))
  .map((each) => [each.dataset.square, each.querySelector("i, b")]));

// A piece slides from where it stood, a refused one comes back from where it was dropped or from a little way, and new
// rings and lines fade in.
function animate(old, events) {
  const before = pieces(old), now = pieces(document), hand = dropped;
  dropped = "";
  const gone = [...before].filter(([name]) => !now.has(name));
  for (const [to, piece] of now) {
    if (before.has(to) || to === hand) continue;
    const [from] = gone.find(([, each]) => each.className === piece.className) ?? (gone.length === 1 ? gone[0] : []);
    if (from) piece.animate([{ transform: way(to, from, 1), zIndex: 2 }, { transform: "none", zIndex: 2 }], MOTION);
  }
  if (events.includes("refused")) {
    const [order] = [...document.querySelectorAll("#answer .no code")].at(-1).textContent.match(/^[a-h][1-8][a-h][1-8]/) ?? [""];
    const back = (share) => [way(order.slice(0, 2), order.slice(2), share), "none"];
    now.get(order.slice(0, 2))?.animate({ transform: hand ? back(1) : ["none", ...back(.25)], zIndex: 2 }, MOTION);
  }
  const fresh = { capture: ".ring", check: ".king, .line, .dot" };
  for (const event of events) for (const mark of fresh[event] ? document.querySelectorAll(fresh[event]) : []) mark.animate({ opacity: [0, 1] }, MOTION);
}

function way(from, to, share) {
  const [start, end] = [from, to].map((name) => square(name).getBoundingClientRect());
  return `translate(${(end.x - start.x) * share}px, ${(end.y - start.y) * share}px)`;
}

// ---------------------------------------------------------------- dragging

const isHeld = (each) => each.closest("[aria-selected]") || each.ariaPressed === "true";

function drop() {
  copy?.remove();
  for (const each of ["lifted", "lit"]) document.querySelectorAll(`.${each}`).forEach((one) => one.classList.remove(each));
  grip = copy = null;
}

function lifted(from) {
  const man = from.querySelector("i, b"), side = square("a1").offsetWidth;
  if (!man) return null;
  const made = document.body.appendChild(document.createElement("div"));
  made.className = "in-hand";
  made.ariaHidden = "true";
  made.style.width = made.style.height = `${side}px`;
  made.append(man.cloneNode(true));
  from.classList.add("lifted");
  for (const name of from.dataset.reach?.split(" ") ?? []) square(name).closest("td").classList.add("lit");
  return made;
}

document.addEventListener("pointerdown", ({ target, button, clientX, clientY, isPrimary }) => {
  const from = target.closest("[data-square], .tray [name]");
  drop();
  isByMouse = true;
  if (from && isPrimary && button === 0 && (isOwn(from) || !from.dataset.square)) grip = { key: keyOf(from), clientX, clientY };
  state.up = new Promise((done) => { lift = done; });
  // The finger may have left the window.
  setTimeout(lift, A_MOMENT);
});

document.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (!grip || (!copy && Math.hypot(clientX - grip.clientX, clientY - grip.clientY) < A_TREMBLE)) return;
  copy ??= lifted(byKey(grip.key));
  if (copy) copy.style.transform = `translate(${clientX}px, ${clientY}px) translate(-50%, -50%)`;
});

document.addEventListener("pointercancel", () => { drop(); lift(); });

// A piece stays where it was dropped until the umpire has answered.
function leave(to) {
  const left = copy, { x, y } = to.getBoundingClientRect();
  copy = null;
  if (left) left.style.transform = `translate(${x}px, ${y}px)`;
  return left;
}

document.addEventListener("pointerup", async ({ clientX, clientY }) => {
  const to = document.elementFromPoint(clientX, clientY)?.closest("[data-square]"), from = grip && byKey(grip.key);
  const isDropped = from && to && from !== to && !isOwn(to), left = isDropped ? leave(to) : null, { key } = grip ?? {};
  const empty = (isEmpty) => { if (left) byKey(key)?.classList.toggle("lifted", isEmpty); };
  drop();
  // After the click.
  setTimeout(lift);
  if (!isDropped) return;
  if (!isHeld(from)) from.click();
  empty(true);
  await state.busy;
  empty(true);
  dropped = to.dataset.square;
  square(dropped)?.click();
  await state.busy;
  empty(false);
  left?.remove();
});

settle("");
