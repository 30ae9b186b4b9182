// The time that is left is told anew while a page is open: by what was left when it came, whatever the clock here shows.
const MINUTE = 60000, OFTEN = 15000, seen = new WeakMap();
const filled = (words, ...numbers) => words.replaceAll("#", () => numbers.shift());

function tell() {
  for (const each of document.querySelectorAll("[data-left]")) {
    if (!seen.has(each)) seen.set(each, Date.now());
    const left = Math.max(0, Math.floor(each.dataset.left - (Date.now() - seen.get(each)) / MINUTE)), hours = Math.floor(left / 60);
    const words = hours < 24 ? filled(each.dataset.hours, hours, left % 60) : filled(each.dataset.days, Math.floor(hours / 24), hours % 24);
    if (each.textContent !== words) each.textContent = words;
  }
}

tell();
setInterval(tell, OFTEN);
