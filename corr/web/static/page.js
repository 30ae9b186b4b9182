// What stands on the page now, by its own words and names.
export const here = location.pathname;
export const state = { asked: location.search, deeds: 0, busy: null };

export const find = (id) => document.getElementById(id);
export const square = (name) => document.querySelector(`[data-square="${name}"]`);
export const squares = () => [...document.querySelectorAll(".board [aria-label]")];
export const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
export const keyOf = (each) => each.dataset.square ?? (each.id || each.href || `${each.name}=${each.value}`);
export const byKey = (key) => [...find("main").querySelectorAll("a, button, textarea, input[id], [data-square]")].find((each) => keyOf(each) === key);
export const isOwn = ({ form, ariaLabel }) => form?.id === "take" && ariaLabel?.includes(", your ");
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
