// Hands the outcome of a sign-in to the page that began it, and closes this window once that page has it.
// A channel of the origin, because a provider's own policy may have cut the tie between the two windows.
const { flow, code, error } = document.body.dataset;
const PATIENCE_MS = 3000;

const say = (sentence) => {
  document.querySelector('[role=status]').textContent = sentence;
};

if (flow) {
  const channel = new BroadcastChannel('vitrine.sign-in');
  const gone = setTimeout(() => {
    if (code) say('The page you started from is not open any more. Close this window and sign in again.');
  }, PATIENCE_MS);
  channel.onmessage = ({ data }) => {
    if (data?.flow !== flow || data.received !== true) return;
    clearTimeout(gone);
    channel.close();
    if (code) say('You can close this window.');
    window.close();
  };
  channel.postMessage(code ? { flow, code } : { flow, error });
}
