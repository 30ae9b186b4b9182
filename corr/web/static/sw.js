// The service worker shows a notification when it's somebody's turn and no page is open. It caches nothing.
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
