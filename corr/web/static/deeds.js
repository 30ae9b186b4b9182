// What a button does is done without loading whole pages, one deed after the other.
import { byKey, find, here, keyOf, note, square, state } from "./page.js";
import { stir } from "./news.js";
import { ask, show } from "./sheet.js";

let doing;

async function carry(form, button) {
  const fields = new URLSearchParams(new FormData(form)), isDeed = form.method === "post";
  if (button.name) fields.set(button.name, button.value);
  const written = form.querySelector("textarea, input[id]") ?? (button.closest("#answer") && find("orders"));
  if (isDeed && written) written.dataset.sent = written.value;
  state.deeds += 1;
  try {
    show(...await (isDeed ? ask(form.action, { method: "POST", body: fields }) : ask(`${here}?${fields}`)), isDeed);
    stir();
  } catch ({ cause }) {
    if (isDeed && written) delete written.dataset.sent;
    button.classList.remove("taken");
    note(cause ?? find("table").dataset.lost, cause ? "refused" : "lost");
  }
  state.busy = null;
}

document.addEventListener("submit", async (event) => {
  if (!find("table")?.contains(event.target)) return;
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
