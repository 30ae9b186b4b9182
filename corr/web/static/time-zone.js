"use strict";
// Offers the browser's time zone once; nothing is changed or sent unless the player says so.

const offer = document.getElementById("zone-offer");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
const REFUSED = "zone that was refused";

function isRefused() {
  try { return localStorage.getItem(REFUSED) === zone; } catch { return false; }
}

if (offer && zone.includes("/") && !zone.startsWith("Etc/") && !isRefused()) {
  offer.elements.zone.value = zone;
  offer.querySelector("[data-zone]").textContent = zone.replaceAll("_", " ");
  offer.querySelector("[data-no]").addEventListener("click", () => {
    try { localStorage.setItem(REFUSED, zone); } catch { /* It is asked again. */ }
    offer.hidden = true;
  });
  offer.hidden = false;
}
