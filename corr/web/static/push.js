// Turns on push notifications for this device when the player presses the button, and not before.
const form = document.getElementById("device"), button = form.querySelector("button");
const failed = document.getElementById("device-failed"), workers = navigator.serviceWorker;
const canBeTold = workers && window.PushManager && window.Notification;

async function named() {
  if (await Notification.requestPermission() !== "granted") throw new Error("not allowed");
  await workers.register(form.dataset.worker);
  const { pushManager } = await workers.ready;
  return await pushManager.getSubscription()
    ?? pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key });
}

async function known() {
  const registration = await workers.getRegistration();
  return registration?.pushManager.getSubscription();
}

async function markOf({ endpoint }) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((each) => each.toString(16).padStart(2, "0")).join("");
}

async function find(subscription) {
  const mark = await markOf(subscription);
  const own = [...document.querySelectorAll("[data-device]")].find((each) => mark.startsWith(each.dataset.device));
  if (!own) return;
  form.hidden = true;
  own.querySelector("[data-here]").hidden = false;
  own.querySelector("[data-remove]").addEventListener("submit", async (event) => {
    event.preventDefault();
    await subscription.unsubscribe().catch(() => null); // the server sends it nothing more in any case
    event.target.submit();
  });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = failed.hidden = true;
  try {
    const { endpoint, keys } = (await named()).toJSON();
    for (const [name, value] of Object.entries({ endpoint, ...keys })) form.elements[name].value = value;
    form.submit();
  } catch {
    button.disabled = failed.hidden = false;
  }
});

if (canBeTold) {
  button.disabled = false;
  document.getElementById("device-unready").hidden = true;
  const subscription = await known();
  if (subscription) find(subscription);
}
