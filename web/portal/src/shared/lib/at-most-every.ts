/** Runs `act` at once and then at most once every `ms` milliseconds; the last call is never dropped. */
export function atMostEvery(ms: number, act: () => void): () => void {
  let waiting = false;
  let again = false;
  const run = () => {
    act();
    waiting = true;
    setTimeout(() => {
      waiting = false;
      if (!again) return;
      again = false;
      run();
    }, ms);
  };
  return () => {
    if (waiting) again = true;
    else run();
  };
}
