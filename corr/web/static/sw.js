// It stands behind all pages, and tells of a turn while none is open. It keeps nothing, and no page waits for it.
"use strict";

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  const shown = { body, tag, renotify: true, icon: "static/now/mark-192.png", data: new URL(url, self.registration.scope).href };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(come(event.notification.data));
});

async function come(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((each) => each.url.split(/[?#]/)[0] === url);
  return there ? there.focus() : self.clients.openWindow(url);
}
