// Hands the outcome of a sign-in to the window that began it, and closes this one.
// A channel of the origin, because a provider's own policy may have cut the tie between the two windows.
const { flow, code, error } = document.body.dataset;
if (flow) {
  const channel = new BroadcastChannel('vitrine.sign-in');
  channel.postMessage(code ? { flow, code } : { flow, error });
  window.close();
}
