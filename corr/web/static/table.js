// The table without waiting for whole pages: a man is taken up at once, dragged or moved by the arrow keys, and news
// are asked for now and then. Everything it does, the page's own forms do too.
"use strict";
(() => {
  const GLANCE = 4000, REST = 60000;
  const here = location.pathname;
  const voice = document.createElement("p");
  voice.className = "spoken";
  voice.setAttribute("role", "status");
  document.body.append(voice);
  let etag = "", glance = GLANCE, busy = false, held = null, waits = 0, at = "";

  const table = () => document.getElementById("table");
  const grid = () => document.querySelector(".grid");
  const squares = () => [...grid().querySelectorAll("button")];
  const square = (name) => grid()?.querySelector(`[data-square="${name}"]`);

  const say = (text) => { voice.textContent = text; };
  const warn = (text) => {
    const news = Object.assign(document.createElement("p"), { className: "news", textContent: text });
    news.setAttribute("role", "alert");
    table().prepend(news);
  };

  // ---------------------------------------------------------------- the page

  function show(html, url) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.getElementById("table");
    if (!fresh) { location.assign(url); return; }
    const before = table().dataset.news, written = document.getElementById("orders");
    const typed = written?.value, isWriting = written && document.activeElement === written;
    const focus = document.activeElement?.dataset?.square ?? "";
    document.getElementById("said")?.remove();
    document.getElementById("main").replaceWith(page.getElementById("main"));
    document.title = page.title;
    held = null;
    const box = document.getElementById("orders");
    if (box && typed) box.value = typed;
    if (box && isWriting) {
      box.focus({ preventScroll: true });
      box.setSelectionRange(written.selectionStart, written.selectionEnd);
    }
    settle(focus || at);
    const told = document.getElementById("answer") ?? document.getElementById("said");
    if (told) say(told.innerText);
    else if (table().dataset.news !== before) say(table().dataset.news);
  }

  const reason = (html) => new DOMParser().parseFromString(html, "text/html").querySelector("#main p")?.textContent;

  const isInHand = () => held || document.querySelector(".grid [aria-selected], [aria-pressed=true]");

  async function ask(url, options = {}) {
    const answer = await fetch(url, { credentials: "same-origin", ...options });
    if (answer.status === 304) return false;
    const html = await answer.text();
    if (!answer.ok) throw new Error("not done", { cause: reason(html) });
    if (options.isGlance && (busy || isInHand())) return false; // nobody's hand is emptied for news
    etag = new URL(answer.url).search ? "" : answer.headers.get("ETag") ?? "";
    show(html, answer.url);
    return true;
  }

  async function send(form, button) {
    if (busy) return;
    busy = true;
    const fields = new URLSearchParams(new FormData(form)), isPost = form.method === "post";
    if (button?.name) fields.set(button.name, button.value);
    const box = document.getElementById("orders"), typed = box?.value;
    if (isPost) box?.form.reset();
    try {
      await (isPost ? ask(here, { method: "POST", body: fields }) : ask(`${here}?${fields}`));
      glance = GLANCE;
    } catch (trouble) {
      warn(trouble.cause ?? "The umpire could not be reached. Load this page again to see how things stand.");
      if (box) box.value = typed;
    }
    busy = false;
  }

  async function look() {
    clearTimeout(waits);
    if (!document.hidden && !busy && !isInHand() && !location.search) {
      try {
        const news = await ask(here, { isGlance: true, headers: etag ? { "If-None-Match": etag } : {} });
        glance = news ? GLANCE : Math.min(glance * 1.25, REST);
      } catch { glance = REST; }
    }
    waits = setTimeout(look, glance);
  }

  // ---------------------------------------------------------------- a man in hand

  const isOwn = (button) => button.getAttribute("aria-label").includes(", your ");
  const isLast = (name) => name[1] === "8" || name[1] === "1";

  function take(button) {
    const again = held === button;
    for (const each of grid().querySelectorAll("[aria-selected]")) each.removeAttribute("aria-selected");
    held = again ? null : button;
    if (!held) return say("Nothing in hand.");
    held.parentElement.setAttribute("aria-selected", "true");
    say(`${held.getAttribute("aria-label")}, in hand. Choose where it goes.`);
  }

  function play(target) {
    const from = held.dataset.square, to = target.dataset.square;
    if (held.getAttribute("aria-label").endsWith("pawn") && isLast(to)) {
      send(document.getElementById("take"), { name: "from", value: from + to });
    } else {
      send(document.getElementById("play"), { name: "orders", value: from + to });
    }
    held = null;
  }

  function press(button) {
    if (button.name !== "from" || button.value.length > 2) return false;
    if (isOwn(button)) take(button);
    else if (held) play(button);
    else say(`No man of yours stands there: ${button.getAttribute("aria-label")}.`);
    return true;
  }

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!table()?.contains(event.target)) return;
    event.preventDefault();
    if (!(button?.dataset.square && press(button))) send(event.target, button);
  });

  // ---------------------------------------------------------------- keys and dragging

  function settle(name) {
    if (!grid()) return;
    const all = squares();
    const here = square(name) ?? all.find((each) => each.form && isOwn(each)) ?? all[56];
    for (const each of all) each.tabIndex = each === here ? 0 : -1;
    if (name && document.activeElement === document.body) here.focus({ preventScroll: true });
  }

  document.addEventListener("focusin", (event) => { if (event.target.dataset?.square) at = event.target.dataset.square; });

  document.addEventListener("keydown", (event) => {
    const all = grid() ? squares() : [], now = all.indexOf(event.target);
    if (now < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const row = now & 56, file = now & 7;
    const next = {
      ArrowUp: now - 8, ArrowDown: now + 8, ArrowLeft: file ? now - 1 : -1, ArrowRight: file < 7 ? now + 1 : -1,
      Home: row, End: row + 7, PageUp: file, PageDown: 56 + file,
    }[event.key];
    if (event.key === "Escape" && held) take(held);
    if (next === undefined) return;
    event.preventDefault();
    if (!all[next]) return;
    event.target.tabIndex = -1;
    all[next].tabIndex = 0;
    all[next].focus();
  });

  let dragged = null;
  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest?.(".grid button");
    dragged = button?.form && button.name === "from" && isOwn(button) && event.button === 0 ? button : null;
  });
  document.addEventListener("pointerup", (event) => {
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".grid button");
    const from = dragged;
    dragged = null;
    if (!from || !target || target === from || isOwn(target)) return;
    if (held !== from) take(from);
    play(target);
  });
  document.addEventListener("visibilitychange", () => { glance = GLANCE; if (!document.hidden) look(); });

  settle("");
  waits = setTimeout(look, glance);
})();
