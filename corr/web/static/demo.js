// Follows moves, replies and bots on the demo's page: shows anew how many games wait and which emails came, but keeps the
// frame, and each email that somebody reads or answers.
const person = document.querySelector(".person"), mailbox = document.querySelector(".mailbox");
const OFTEN = 1000, CHOSEN = new URLSearchParams(location.search).get("letter");

const isInHand = (item) => item.contains(document.activeElement) || (item.querySelector("article") && (
  item.id === `letter-${CHOSEN}` || item.matches(":hover") || item.querySelector("details + details[open]")
  || item.querySelector("textarea").value));

// What is held stays in its place: moving it would take its focus and load its frames again.
function exchange(part, fresh) {
  const held = new Map([...part.children].flatMap((each) => {
    const kept = each.matches("[data-held]") ? each : each.querySelector("[data-held]");
    return kept ? [[kept.id, each]] : [];
  }));
  const stay = [...held.values()];
  for (const each of [...part.children]) if (!stay.includes(each)) each.remove();
  let place = part.firstElementChild;
  for (const each of [...fresh.children]) {
    const id = [...held.keys()].find((key) => each.id === key || each.querySelector(`[id="${key}"]`));
    const old = held.get(id);
    if (old !== place || !old) part.insertBefore(old ?? each, place);
    if (old && !old.matches("[data-held]")) exchange(old, each);
    if (old) place = old.nextElementSibling;
  }
}

async function look() {
  if (document.hidden) return;
  const mark = await (await fetch(person.dataset.marks)).text();
  if (mark === person.dataset.mark) return;
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const pills = page.querySelectorAll(".filters a");
  document.querySelectorAll(".filters a").forEach((link, number) => link.replaceChildren(...pills[number].childNodes));
  for (const item of mailbox.querySelectorAll(".thread > li")) item.toggleAttribute("data-held", Boolean(isInHand(item)));
  if (!mailbox.querySelector(".thread > [data-held]")) mailbox.scrollTop = 0;
  exchange(mailbox, page.querySelector(".mailbox"));
  person.dataset.mark = page.querySelector(".person").dataset.mark;
}

// An answer that does not come, or is an error's page, is asked for again.
const keepLooking = () => look().catch(() => null).finally(() => setTimeout(keepLooking, OFTEN));
keepLooking();
