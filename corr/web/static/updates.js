// What happened is asked every few seconds while somebody looks at the page, and seldom when no answer comes. What a
// button does is done without loading whole pages, one action after the other.
import { ask, byKey, find, here, isPending, keyOf, note, parsed, say, show, square, state } from "./page.js";
import { isCalled, isWanted } from "./alerts.js";

const AT_ONCE = 400, SOON = 4000, HIDDEN = 20000, LATE = 60000;
let stream;
// While the server tells of news, there is no need to ask.
const isTold = () => stream?.readyState === 1;
const isInHand = () => /(at|from|drop|set|sure)=.|[a-h][1-8]=/.test(state.asked);
let wait, timer, isLooking, isStirred, since = Date.now();

export const soon = () => (isPending() ? AT_ONCE : isTold() ? LATE : SOON);

export function rest(next = wait) {
  wait = next;
  clearTimeout(timer);
  timer = setTimeout(look, document.hidden ? Math.max(wait, HIDDEN) : wait);
}

export function stir() {
  since = Date.now();
  rest(soon());
}

function later() {
  return isPending() && Date.now() - since >= SOON ? SOON : soon();
}

// One question at a time: the same news shown twice would silence what is being read aloud. While something is being sent
// the question waits for that, since the next timer may be a minute away.
async function look() {
  clearTimeout(timer);
  isStirred = isLooking;
  if (isLooking) return;
  isLooking = true;
  while (state.busy) await state.busy;
  if (!document.hidden || isWanted()) {
    const begun = state.deeds, { mark, news } = find("table").dataset;
    try {
      const url = /(log|list|ghost|fold)=/.test(state.asked) ? here + state.asked : here;
      const [html, shown] = await ask(url, { headers: { "If-None-Match": `"${mark}"` } });
      wait = later();
      const now = html && parsed(html).getElementById("table")?.dataset, isAnswer = now && isPending() && !("waits" in now);
      if (html) since = Date.now();
      if (html && begun === state.deeds && isInHand() && !isAnswer) {
        // Nobody's hand is emptied for news.
        if (now?.news !== news) note(now.news, "news");
        Object.assign(find("table").dataset, now);
        isCalled(now);
      } else if (html && begun === state.deeds) {
        const { news: told } = show(html, shown);
        if (told) say(told);
        wait = soon();
      }
    } catch { wait = Math.min(wait * 2, LATE); }
  }
  isLooking = false;
  if (isStirred) look(); else rest();
}

const hurry = () => { wait = soon(); look(); };
window.addEventListener("online", hurry);
rest(soon());

// A browser has few connections, so pages that nobody sees let theirs go.
function listen() {
  if (document.hidden && !isWanted()) return stream?.close();
  if (stream && stream.readyState !== 2) return;
  stream = new EventSource(`${here}/news`);
  stream.onopen = stream.onmessage = hurry;
  stream.onerror = () => rest(soon());
}
document.addEventListener("visibilitychange", () => { listen(); hurry(); });
listen();

// ---------------------------------------------------------------- buttons

let doing;

// What was tapped in the log stays under the finger. On a phone the board of the past comes along: above the finger, or
// below it if there is no room above. If there is neither, the log gives way.
function stay(key, top) {
  const one = byKey(key) ?? document.querySelector(".log [aria-current]"), board = document.querySelector(".at-board"), box = find("now")?.form;
  if (!one) return;
  scrollBy(0, one.getBoundingClientRect().top - top);
  if (!box || !board.offsetHeight) return; // beside the log
  const row = (one.closest("li") ?? one).getBoundingClientRect(), covered = box.getBoundingClientRect().bottom - board.getBoundingClientRect().top;
  if (row.top < covered && row.bottom <= innerHeight - covered) board.style.top = `${innerHeight - covered}px`;
  else scrollBy(0, Math.min(0, row.top - covered));
}

async function carry(form, button) {
  const fields = new URLSearchParams(new FormData(form)), isDeed = form.method === "post";
  if (button.name) fields.set(button.name, button.value);
  const written = form.querySelector("textarea, input[id]") ?? (button.closest("#answer") && find("orders"));
  if (isDeed && written) written.dataset.sent = written.value;
  state.deeds += 1;
  try {
    const page = await (isDeed ? ask(form.action, { method: "POST", body: fields }) : ask(`${here}?${fields}`));
    const top = button.getBoundingClientRect().top;
    const { result, news } = show(...page);
    if (button.name === "at") stay(keyOf(button), top);
    say((isDeed && result) || news || find("how")?.innerText);
    stir();
  } catch ({ cause }) {
    if (isDeed && written) delete written.dataset.sent;
    button.classList.remove("taken");
    note(cause ?? find("table").dataset.lost, cause ? "refused" : "lost");
  }
  state.busy = null;
}

document.addEventListener("submit", async (event) => {
  // A form that leads elsewhere, such as to another game, loads its page as usual.
  if (!find("table")?.contains(event.target) || !event.target.action.includes(here)) return;
  const button = event.submitter, key = keyOf(button), turn = find("play").dataset.turn;
  event.preventDefault();
  button.classList.add("taken");
  if (!state.busy) {
    doing = key;
    state.busy = carry(event.target, button);
  } else if (key !== doing) {
    await state.busy;
    // The button of the page that is there by then.
    if (find("play")?.dataset.turn === turn) byKey(key)?.click();
  }
});

// A square that is no button yet may be one once the deed before is done.
for (const kind of ["click", "keydown"]) document.addEventListener(kind, async ({ target, key = "Enter" }) => {
  const name = key === "Enter" && target.closest("td[data-square]")?.dataset.square, turn = find("play")?.dataset.turn;
  if (!name || !state.busy) return;
  await state.busy;
  if (find("play")?.dataset.turn === turn) square(name).click();
});
