// Shows at the top of every page how many games wait, and keeps the list of games up to date while somebody looks at it.
const link = document.querySelector(".top nav a"), isList = location.pathname === link.pathname;
const SELDOM = 60000;
let stream;

const shown = (part) => [...part.querySelectorAll(".filters, .games")].map((each) => each.textContent).join();

async function look() {
  const answer = await fetch(isList ? location.href : link.href, { headers: { "X-In-Background": "1" } }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html"), fresh = page.querySelector(".top nav a");
  link.replaceChildren(...fresh.childNodes);
  const main = document.getElementById("main"), now = page.getElementById("main");
  if (!isList || main.contains(document.activeElement) || shown(main) === shown(now)) return;
  main.replaceWith(now);
  document.title = page.title;
}

function listen() {
  if (document.hidden) return stream?.close();
  if (stream && stream.readyState !== 2) return;
  stream = new EventSource(`${link.pathname}news`);
  stream.onopen = stream.onmessage = look;
}
document.addEventListener("visibilitychange", listen);
setInterval(() => { if (!document.hidden && stream?.readyState !== 1) { look(); listen(); } }, SELDOM);
listen();
