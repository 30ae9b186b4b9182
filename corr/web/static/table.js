// The table without loading whole pages: men are dragged or moved by the arrow keys, what happens is said aloud, and
// news are asked for now and then. What a click does, and every word, is the page's own.
"use strict";
(() => {
  const AT_ONCE = 400, SOON = 4000, LATE = 60000, PATIENCE = 20000, here = location.pathname;
  const voice = document.body.appendChild(document.createElement("p"));
  voice.className = "spoken";
  voice.setAttribute("role", "status");
  let asked = location.search, wait, timer, busy = null, doing, deeds = 0, sent, at = "", dragged = "", up, lift = () => {};

  const find = (id) => document.getElementById(id);
  const square = (name) => document.querySelector(`[data-square="${name}"]`);
  const squares = () => [...document.querySelectorAll("[data-square]")];
  const isOwn = ({ name, ariaLabel }) => (name === "from" || name === "set") && ariaLabel.includes(", your ");
  const isInHand = () => /(from|drop|set|sure)=./.test(asked);
  const keyOf = (each) => each.dataset.square ?? (each.id || each.href || `${each.name}=${each.value}`);
  const byKey = (key) => [...find("main").querySelectorAll("a, button, textarea")].find((each) => keyOf(each) === key);
  const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
  const isPending = () => "waits" in find("table").dataset;
  const soon = () => (isPending() ? AT_ONCE : SOON);
  const told = () => [...["waits", "answer", "said", "sure"].map((id) => find(id)?.innerText), find("table").dataset.news];

  function note(text, id) {
    find(id)?.remove();
    const line = Object.assign(document.createElement("p"), { id, className: "news", textContent: text });
    line.setAttribute("role", "alert");
    find("table").prepend(line);
  }

  function show(html, url, isDeed) {
    const page = parsed(html), fresh = page.getElementById("main"), box = find("orders"), before = told();
    if (!page.getElementById("table")) return location.assign(url);
    const focus = keyOf(document.activeElement);
    asked = new URL(url).search;
    find("main").replaceWith(fresh);
    document.title = page.title;
    if (box?.value && (box.value !== sent || find("unclear") || isPending())) find("orders")?.replaceWith(box);
    if (!isPending()) sent = undefined;
    settle(focus);
    wait = soon();
    rest();
    const after = told(), [pending, answer, said] = after, news = after.find((text, which) => text !== before[which] && text);
    voice.textContent = (isDeed && (pending ?? answer ?? said)) || news || find("how")?.innerText;
  }

  function rest() {
    clearTimeout(timer);
    timer = setTimeout(look, wait);
  }

  async function ask(url, options) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), ...options });
    const html = answer.status === 304 ? "" : await answer.text();
    find("lost")?.remove();
    if (html && !answer.ok) throw new Error("refused", { cause: parsed(html).querySelector("#main p")?.textContent });
    await up; // nothing goes away under a finger
    return [html, answer.url];
  }

  async function carry(form, button) {
    const fields = new URLSearchParams(new FormData(form)), isDeed = form.method === "post";
    if (button.name) fields.set(button.name, button.value);
    const written = form.querySelector("textarea") ?? (button.closest("#answer") && find("orders"));
    if (isDeed) sent = written?.value ?? sent;
    deeds += 1;
    try {
      show(...await (isDeed ? ask(here, { method: "POST", body: fields }) : ask(`${here}?${fields}`)), isDeed);
    } catch ({ cause }) {
      if (isDeed) sent = undefined;
      button.classList.remove("taken");
      note(cause ?? find("table").dataset.lost, cause ? "refused" : "lost");
    }
    busy = null;
  }

  document.addEventListener("submit", async (event) => {
    const button = event.submitter, key = keyOf(button), turn = find("play").dataset.turn;
    if (!find("table")?.contains(event.target)) return;
    event.preventDefault();
    button.classList.add("taken");
    if (!busy) {
      doing = key;
      busy = carry(event.target, button);
    } else if (key !== doing) {
      await busy;
      if (find("play")?.dataset.turn === turn) byKey(key)?.click(); // the button of the page that is there by then
    }
  });

  async function look() {
    clearTimeout(timer);
    if (!document.hidden && !busy) {
      const begun = deeds, { mark, news } = find("table").dataset;
      try {
        const url = asked.includes("log=") ? here + asked : here;
        const [html, shown] = await ask(url, { headers: { "If-None-Match": `"${mark}"` } });
        wait = html ? SOON : Math.min(wait * 1.25, LATE);
        const now = html && parsed(html).getElementById("table")?.dataset, isAnswer = now && isPending() && !("waits" in now);
        if (html && begun === deeds && isInHand() && !isAnswer) {
          if (now?.news !== news) note(now.news, "news"); // nobody's hand is emptied for news
          Object.assign(find("table").dataset, now);
        } else if (html && begun === deeds) show(html, shown);
      } catch { wait = Math.min(wait * 2, LATE); }
    }
    rest();
  }

  const hurry = () => { wait = soon(); look(); };
  document.addEventListener("visibilitychange", hurry);
  window.addEventListener("online", hurry);

  // ---------------------------------------------------------------- keys and dragging

  function settle(focus) {
    const all = squares(), one = square(focus) ?? square(at) ?? all.find(isOwn) ?? all[56];
    for (const each of all) each.tabIndex = each === one ? 0 : -1;
    if (document.activeElement === document.body) (find("sure") ?? byKey(focus))?.focus({ preventScroll: true });
  }

  document.addEventListener("focusin", ({ target }) => { at = target.dataset.square ?? at; });

  document.addEventListener("keydown", async (event) => {
    const all = squares(), now = all.indexOf(event.target), row = now & 56, file = now & 7;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      await busy;
      document.querySelector('#sure a, [name=from][value=""], [name=drop][value=""]')?.click();
    }
    const next = now < 0 ? undefined : {
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
    dragged = from && button === 0 && isOwn(from) ? from.dataset.square : "";
    up = new Promise((done) => { lift = done; });
    setTimeout(lift, SOON); // the finger may have left the window
  });

  document.addEventListener("pointercancel", () => { dragged = ""; lift(); });

  document.addEventListener("pointerup", async (event) => {
    const to = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]"), from = square(dragged);
    setTimeout(lift); // after the click
    if (!from || !to || isOwn(to)) return;
    if (!from.closest("[aria-selected]")) from.click();
    await busy;
    square(to.dataset.square)?.click();
  });

  settle("");
  wait = soon();
  rest();
})();
