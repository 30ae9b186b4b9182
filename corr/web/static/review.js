// Steps through a finished game, or an analysis of it, without loading whole pages: each step is the page of its link.
// Arrows, Home and End move, T turns the board, it can play by itself, and buttons copy the link or the PGN, as on the
// page of a private link. All words are in the page.
"use strict";
(() => {
  const BEAT = 1500, SOON = 300, A_LOOK = 3000, kept = new Map(), find = (id) => document.getElementById(id);
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", t: "turn", T: "turn" };
  const voice = document.body.appendChild(document.createElement("p"));
  voice.className = "spoken";
  voice.setAttribute("role", "status");
  let playing = 0, wanted = "", early;

  const plain = (url) => url.split("#")[0];

  function ask(url) {
    if (!kept.has(url)) {
      const page = fetch(url).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)));
      page.catch(() => kept.delete(url));
      kept.set(url, page);
    }
    return kept.get(url);
  }

  async function go(url) {
    wanted = url;
    try {
      const html = await ask(plain(url));
      if (wanted === url) show(new DOMParser().parseFromString(html, "text/html"), url);
    } catch { location.assign(url); }
  }

  function show(page, url) {
    const fresh = page.getElementById("main"), focus = document.activeElement?.id;
    const film = document.querySelector(".film ol"), next = fresh.querySelector(".film ol");
    const isSame = film?.querySelector("image").getAttribute("href") === next?.querySelector("image").getAttribute("href");
    const scrollLeft = film?.scrollLeft;
    if (film && isSame) film.querySelectorAll("svg").forEach((svg, at) => next.children[at].querySelector("svg").replaceWith(svg));
    find("main").replaceWith(fresh);
    if (next) next.scrollLeft = scrollLeft;
    document.title = page.title;
    history.replaceState(null, "", plain(url));
    settle();
    (find(focus) ?? document.body).focus({ preventScroll: true });
    if (!playing) voice.textContent = `${find("now").innerText}. ${document.querySelector(".said .words").textContent}`;
  }

  function settle() {
    const button = find("play"), now = document.querySelector(".film .now"), strip = now?.closest("ol");
    if (button) button.parentElement.hidden = false;
    button?.setAttribute("aria-pressed", String(playing > 0));
    if (window.ClipboardItem) document.querySelectorAll("[data-done]").forEach((each) => { each.parentElement.hidden = false; });
    if (now && (now.offsetLeft < strip.scrollLeft || now.offsetLeft + now.offsetWidth > strip.scrollLeft + strip.clientWidth)) {
      strip.scrollLeft = now.offsetLeft - strip.clientWidth / 2;
    }
    clearTimeout(early);
    early = setTimeout(() => { if (find("next")?.href) ask(plain(find("next").href)); }, SOON);
  }

  function play(isOn) {
    clearInterval(playing);
    playing = isOn ? setInterval(() => {
      if (find("next").href) go(find("next").href);
      else play(false);
    }, BEAT) : 0;
    find("play").setAttribute("aria-pressed", String(isOn));
    // The address of a game alone shows where it turned, but is played from the start.
    const next = find("next").href, url = (location.search && next) || find("first").href || next;
    if (isOn && url) go(url);
  }

  async function copy(button) {
    const { text, file, done, failed, name = button.textContent } = button.dataset;
    button.dataset.name = name;
    // Safari copies only what is promised during the click.
    const found = file ? ask(file) : Promise.resolve(text);
    const copied = found.then((each) => new Blob([each], { type: "text/plain" }));
    const said = await navigator.clipboard.write([new ClipboardItem({ "text/plain": copied })]).then(() => done, () => failed);
    button.textContent = voice.textContent = said;
    setTimeout(() => { button.textContent = name; }, A_LOOK);
  }

  document.addEventListener("click", (event) => {
    const { target, ctrlKey, metaKey, shiftKey, altKey } = event, link = target.closest('#main a[href^="?"]');
    if (target.closest("#play")) play(!playing);
    if (target.dataset.done) copy(target);
    if (!link || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    if (playing) play(false);
    go(link.href);
  });

  document.addEventListener("keydown", (event) => {
    const link = find(keys[event.key]);
    if (!link?.href || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.id === "link") return;
    event.preventDefault();
    link.click();
  });

  settle();
})();
