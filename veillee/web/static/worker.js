// The service worker: a page for when there is no connection, and messages while no window is open.

const CACHE = "veillee-FINGERPRINT";
const KEPT = ["/offline", "/static/FINGERPRINT/veillee.css", "/static/FINGERPRINT/pages.css"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name !== CACHE);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))),
  );
});

/** Pages that count points need no server, nor does what they load. */
const worksOffline = (path, referrer) =>
  path.startsWith("/score/") || (path.startsWith("/static/") && referrer.includes("/score/"));

async function fetchAndKeep(request, path) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(CACHE)).put(path, answer.clone());
    return answer;
  } catch {
    return (await caches.match(path)) ?? caches.match("/offline");
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.method === "GET" && worksOffline(path, request.referrer)) {
    event.respondWith(fetchAndKeep(request, path));
  } else if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  } else if (KEPT.includes(path)) {
    event.respondWith(fetch(request).catch(() => caches.match(path)));
  }
});

addEventListener("push", (event) => {
  const { title, body, path, tag } = event.data.json();
  const shown = { body, tag, data: path, icon: "/icon/192.png", badge: "/icon/192.png" };
  event.waitUntil(registration.showNotification(title, shown));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data;
  event.waitUntil(
    clients.matchAll({ type: "window" }).then((windows) => {
      const open = windows.find((window) => new URL(window.url).pathname === path);
      return open ? open.focus() : clients.openWindow(path);
    }),
  );
});
