/** The time, for what counts down on a screen. */
import { useEffect, useState } from 'react';

const TICK_MS = 250;

/** Returns the current time in epoch milliseconds, and renders again as it passes while `running`. */
export function useNow(running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
