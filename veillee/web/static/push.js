// Messages while no window is open: this browser subscribes when its person asks for it.

/** @param {boolean} wanted */
export async function followWish(wanted) {
  const worker = await navigator.serviceWorker?.ready;
  if (!worker?.pushManager) return;
  const old = await worker.pushManager.getSubscription();
  if (!wanted) {
    if (!old) return;
    await send("/push/forget", { endpoint: old.endpoint });
    await old.unsubscribe();
    return;
  }
  const { key } = await (await fetch("/push/key")).json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (old ?? (await worker.pushManager.subscribe(options))).toJSON();
  await send("/push", { endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
}

/** @param {string} path @param {Record<string, string>} fields */
function send(path, fields) {
  const headers = { "content-type": "application/json", "x-veillee": "1" };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(fields) });
}
