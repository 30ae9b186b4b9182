// Another page takes the place of this one; what is being written, what is unfolded and what has the focus stay.
import { find, isPending, keyOf, parsed, say, state } from "./page.js";

const PATIENCE = 20000;
const told = () => [...["waits", "answer", "said", "sure"].map((id) => find(id)?.innerText), find("table").dataset.news];
const fields = (main) => main.querySelectorAll("textarea[id], input[id]:not([type])");
const folds = (main) => [...main.querySelectorAll("details")];
const nameOf = (fold) => fold.id || fold.querySelector("summary").firstChild.textContent;

export async function ask(url, options) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), ...options });
  const html = answer.status === 304 ? "" : await answer.text();
  find("lost")?.remove();
  if (html && !answer.ok) throw new Error("refused", { cause: parsed(html).querySelector("#main p")?.textContent });
  await state.up; // nothing goes away under a finger
  return [html, answer.url];
}

export function show(html, url, isDeed) {
  const page = parsed(html), fresh = page.getElementById("main"), old = find("main"), before = told();
  if (!page.getElementById("table")) return location.assign(url);
  const focus = keyOf(document.activeElement);
  state.asked = new URL(url).search;
  old.replaceWith(fresh);
  document.title = page.title;
  document.querySelector("link[rel=icon]").href = page.querySelector("link[rel=icon]").href;
  for (const box of fields(old)) keep(box);
  for (const fold of folds(fresh)) {
    const was = folds(old).find((each) => nameOf(each) === nameOf(fold));
    if (was && !fold.querySelector("#sure")) fold.open = was.open;
  }
  document.dispatchEvent(new CustomEvent("shown", { detail: focus }));
  const after = told(), [pending, answer, said] = after, news = after.find((text, which) => text !== before[which] && text);
  say((isDeed && (pending ?? answer ?? said)) || news || find("how")?.innerText);
}

function keep(box) {
  if (box.value && (box.value !== box.dataset.sent || find("unclear") || isPending())) find(box.id)?.replaceWith(box);
  if (!isPending()) delete box.dataset.sent;
}
