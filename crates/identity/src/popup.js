// Sends the outcome of a sign-in to the page that started it, and closes this window once that page has it.
// Uses a BroadcastChannel because a provider's opener policy may have severed the link between the two windows.
const { flow, code, error } = document.body.dataset;
const PATIENCE_MS = 3000;

const say = (sentence) => {
  document.querySelector('[role=status]').textContent = sentence;
};

if (flow) {
  const channel = new BroadcastChannel('vitrine.sign-in');
  const gone = setTimeout(() => {
    if (code) say('The page you started from is no longer open. Close this window and sign in again.');
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
