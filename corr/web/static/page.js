// The page as it stands, and the next one that takes its place without being loaded: what is being written, what is
// unfolded and what has the focus stay.
export const here = location.pathname;
export const state = { asked: location.search, deeds: 0, busy: null };

export const find = (id) => document.getElementById(id);
export const square = (name) => document.querySelector(`[data-square="${name}"]`);
export const squares = () => [...document.querySelectorAll(".board td")].map((each) => each.querySelector("button") ?? each);
export const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
export const keyOf = (each) => each.dataset.square ?? (each.id || each.href || `${each.name}=${each.value}`);
export const byKey = (key) => [...find("main").querySelectorAll("a, button:enabled, textarea, input[id], [data-square]")].find((each) => keyOf(each) === key);
export const isOwn = ({ form, textContent }) => form?.id === "take" && textContent.includes(", your ");
export const isPending = () => "waits" in find("table").dataset;

const voice = document.body.appendChild(document.createElement("p"));
voice.className = "spoken";
voice.setAttribute("role", "status");

export function say(text) {
  voice.textContent = text;
}

export function note(text, id) {
  find(id)?.remove();
  const line = Object.assign(document.createElement("p"), { id, className: "news", textContent: text });
  line.setAttribute("role", "alert");
  find("table").prepend(line);
}

// ---------------------------------------------------------------- the next page

const PATIENCE = 20000;
const told = () => [...["waits", "answer", "said", "sure"].map((id) => find(id)?.innerText), find("table").dataset.news];
const fields = (main) => main.querySelectorAll("textarea[id], input[id]:not([type])");
const folds = (main) => [...main.querySelectorAll("details")];
const games = (shown) => shown.querySelector(".top nav a");
const nameOf = (fold) => fold.id || fold.querySelector("summary").firstChild.textContent;

export async function ask(url, options) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), ...options });
  const html = answer.status === 304 ? "" : await answer.text();
  find("lost")?.remove();
  if (html && !answer.ok) throw new Error("refused", { cause: parsed(html).querySelector("#main p")?.textContent });
  // Nothing goes away under a finger.
  await state.up;
  return [html, answer.url];
}

// Show the next page, and return what on it answers and what on it is new.
export function show(html, url) {
  const page = parsed(html), fresh = page.getElementById("main"), old = find("main"), before = told();
  if (!page.getElementById("table")) return location.assign(url) ?? {};
  const focus = near(document.activeElement);
  state.asked = new URL(url).search;
  const scrolled = old.querySelector(".log")?.scrollTop, log = fresh.querySelector(".log");
  old.replaceWith(fresh);
  if (log) log.scrollTop = scrolled;
  document.title = page.title;
  if (fresh.querySelector(".against") && !old.querySelector(".against")) scrollTo(0, 0); // the result is at the top
  games(document).replaceChildren(...games(page).childNodes);
  document.querySelector("link[rel=icon]").href = page.querySelector("link[rel=icon]").href;
  for (const box of fields(old)) keep(box);
  for (const fold of folds(fresh)) {
    const was = folds(old).find((each) => nameOf(each) === nameOf(fold));
    if (was && !fold.querySelector("#sure")) fold.open = was.open;
  }
  document.dispatchEvent(new CustomEvent("shown", { detail: { focus: focus.find(byKey) ?? focus[0], old, events: events(old, fresh) } }));
  const after = told(), [pending, answer, said] = after;
  return { result: pending ?? answer ?? said, news: after.find((text, which) => text !== before[which] && text) };
}

// What is new on a page, the gravest first: what the umpire announced, and what came of this player's own orders.
function events(old, fresh) {
  if (old.querySelector("#now")) return []; // a board of the past was shown
  const isNew = (part) => fresh.querySelector(part) && fresh.querySelector(part).textContent !== old.querySelector(part)?.textContent;
  const announced = isNew(".slip .words") ? fresh.querySelector(".slip").dataset.told?.split(" ") ?? [] : [];
  const last = isNew("#answer") ? [...fresh.querySelectorAll("#answer .tried li")].at(-1) : null;
  return [...announced, ...last?.matches(".no") ? ["refused"] : last?.matches(".yes") ? ["moved"] : []];
}

// What has the focus, and what takes it if that is gone: beside it, after it, before it, first of the same kind.
function near(one) {
  const all = [...one.closest("ol, .deeds, h2")?.querySelectorAll("button") ?? []], at = all.indexOf(one);
  const others = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).reverse()];
  const rank = (each) => (each.parentElement === one.parentElement ? 0 : each.textContent === one.textContent ? 1 : 2);
  others.sort((a, b) => rank(a) - rank(b));
  return [...[one, ...others].map(keyOf), ...one.closest(".draft") ? ["list="] : []];
}

function keep(box) {
  if (box.value && (box.value !== box.dataset.sent || find("unclear") || isPending())) find(box.id)?.replaceWith(box);
  if (!isPending()) delete box.dataset.sent;
}
