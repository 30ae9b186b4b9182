// The table without loading whole pages: men are dragged or moved by the arrow keys, what happens is said aloud, and
// news are asked for now and then. What a click does, and every word, is the page's own.
"use strict";
(() => {
  const GLANCE = 4000, REST = 60000, here = location.pathname;
  const voice = document.body.appendChild(document.createElement("p"));
  voice.className = "spoken";
  voice.setAttribute("role", "status");
  let etag = "", glance = GLANCE, waits, busy = null, at = "", dragged = null;

  const find = (id) => document.getElementById(id);
  const squares = () => [...document.querySelectorAll("[data-square]")];
  const square = (name) => document.querySelector(`[data-square="${name}"]`);
  const isOwn = (button) => button.form && button.getAttribute("aria-label").includes(", your ");
  const isInHand = () => document.querySelector(".grid [aria-selected], [aria-pressed=true]");
  const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

  // ---------------------------------------------------------------- the page

  function show(html, url) {
    const page = parsed(html), known = find("table").dataset.news, box = find("orders");
    const active = document.activeElement, name = active.dataset.square ?? at;
    if (!page.getElementById("table")) return location.assign(url);
    find("main").replaceWith(page.getElementById("main"));
    document.title = page.title;
    if (box?.value) find("orders")?.replaceWith(box);
    if (box && box === active) find("orders")?.focus({ preventScroll: true });
    settle(name);
    const { news } = find("table").dataset;
    voice.textContent = (find("answer") ?? find("said"))?.innerText ?? (news !== known ? news : find("how")?.innerText);
  }

  async function ask(url, options = {}) {
    const answer = await fetch(url, options);
    if (answer.status === 304) return false;
    const html = await answer.text();
    if (!answer.ok) throw new Error("refused", { cause: parsed(html).querySelector("#main p")?.textContent });
    if (options.headers && (busy || isInHand())) return false; // nobody's hand is emptied for news
    etag = new URL(answer.url).search ? "" : answer.headers.get("ETag") ?? "";
    show(html, answer.url);
    return true;
  }

  async function carry(form, button) {
    const fields = new URLSearchParams(new FormData(form)), box = form.querySelector("textarea"), typed = box?.value;
    if (button?.name) fields.set(button.name, button.value);
    if (box) box.value = "";
    glance = GLANCE;
    try {
      await (form.method === "post" ? ask(here, { method: "POST", body: fields }) : ask(`${here}?${fields}`));
    } catch (trouble) {
      document.querySelector("#table > [role=alert]")?.remove();
      document.querySelector(".taken")?.classList.remove("taken");
      const why = Object.assign(document.createElement("p"), { className: "news" });
      why.textContent = trouble.cause ?? find("table").dataset.lost;
      why.setAttribute("role", "alert");
      find("table").prepend(why);
      if (box) box.value = typed;
    }
    busy = null;
  }

  const send = (form, button) => busy ??= carry(form, button);

  document.addEventListener("submit", async (event) => {
    const button = event.submitter, name = button?.dataset.square;
    if (!find("table")?.contains(event.target)) return;
    event.preventDefault();
    if (name) button.classList.add("taken");
    if (!busy || !name) return send(event.target, button);
    await busy; // the square of the page that is there by then
    square(name)?.click();
  });

  async function look() {
    clearTimeout(waits);
    if (!document.hidden && !busy && !isInHand() && !location.search) {
      const isNew = await ask(here, { headers: etag ? { "If-None-Match": etag } : {} }).catch(() => null);
      glance = isNew ? GLANCE : isNew === null ? REST : Math.min(glance * 1.25, REST);
    }
    waits = setTimeout(look, glance);
  }

  document.addEventListener("visibilitychange", () => { glance = GLANCE; look(); });

  // ---------------------------------------------------------------- keys and dragging

  function settle(name) {
    const all = squares(), one = square(name) ?? all.find(isOwn) ?? all[56];
    for (const each of all) each.tabIndex = each === one ? 0 : -1;
    if (name && document.activeElement === document.body) one?.focus({ preventScroll: true });
  }

  document.addEventListener("focusin", ({ target }) => { at = target.dataset.square ?? at; });

  document.addEventListener("keydown", (event) => {
    const all = squares(), now = all.indexOf(event.target), row = now & 56, file = now & 7;
    if (now < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && isInHand()) send(find("take"));
    const next = {
      ArrowUp: now - 8, ArrowDown: now + 8, ArrowLeft: file ? now - 1 : now, ArrowRight: file < 7 ? now + 1 : now,
      Home: row, End: row + 7, PageUp: file, PageDown: 56 + file,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (!all[next]) return;
    settle(all[next].dataset.square);
    all[next].focus();
  });

  document.addEventListener("pointerdown", ({ target, button }) => {
    const from = target.closest("[data-square]");
    dragged = from && button === 0 && isOwn(from) ? from : null;
  });

  document.addEventListener("pointerup", async (event) => {
    const from = dragged, to = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]");
    dragged = null;
    if (!from || !to || isOwn(to)) return;
    if (!from.closest("[aria-selected]")) from.click();
    await busy;
    square(to.dataset.square).click();
  });

  settle("");
  waits = setTimeout(look, glance);
})();
