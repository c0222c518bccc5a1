/** The current time, for countdowns. */
import { useEffect, useState } from 'react';

const TICK_MS = 250;

/** Returns the current time in epoch milliseconds, updated while `running`. */
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
