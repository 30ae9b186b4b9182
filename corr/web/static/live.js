// Shows at the top of every page how many games wait, and keeps the list of games up to date while somebody looks at it.
const link = document.querySelector(".top nav a"), isList = location.pathname === link.pathname;
let stream, isFresh = true;

async function look() {
  const answer = await fetch(isList ? location.href : link.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html"), fresh = page.querySelector(".top nav a");
  link.replaceChildren(...fresh.childNodes);
  const main = document.getElementById("main");
  if (!isList || main.contains(document.activeElement)) return;
  main.replaceWith(page.getElementById("main"));
  document.title = page.title;
}

function listen() {
  if (document.hidden) return stream?.close();
  if (stream && stream.readyState !== 2) return;
  stream = new EventSource(`${link.pathname}news`);
  stream.onmessage = look;
  stream.onopen = () => { if (!isFresh) look(); isFresh = false; };
}
document.addEventListener("visibilitychange", listen);
listen();
