// Whether something has happened is asked every few seconds while the page is looked at, and seldom where no answer comes.
import { find, here, isPending, note, parsed, state } from "./page.js";
import { ask, show } from "./sheet.js";
import { isCalled, isWanted } from "./call.js";

const AT_ONCE = 400, SOON = 4000, HIDDEN = 20000, LATE = 60000;
const isInHand = () => /(from|drop|set|sure)=.|[a-h][1-8]=/.test(state.asked);
let wait, timer, since = Date.now();

export const soon = () => (isPending() ? AT_ONCE : SOON);

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
  return isPending() && Date.now() - since < SOON ? AT_ONCE : SOON;
}

async function look() {
  clearTimeout(timer);
  if ((!document.hidden || isWanted()) && !state.busy) {
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
        show(html, shown);
        wait = soon();
      }
    } catch { wait = Math.min(wait * 2, LATE); }
  }
  rest();
}

const hurry = () => { wait = soon(); look(); };
document.addEventListener("visibilitychange", hurry);
window.addEventListener("online", hurry);
rest(soon());
