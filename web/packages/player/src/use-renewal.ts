/** Keeps a playback URL alive while its player is open. */
import { useEffect, useEffectEvent } from 'react';
import type { PlayerProps } from './player-props.ts';

/** Lifetime of a new playback URL, in seconds. */
const FRESH_LIFE_S = 3600;
const RETRY_MS = 60_000;

/** Calls `renew` at half the lifetime, repeatedly; after a failure, every minute. Does nothing without `renew`. */
export function useRenewal(renew: PlayerProps['renew'], address: string): void {
  const renewNow = useEffectEvent(() => renew?.(address) ?? Promise.resolve({ expiresIn: FRESH_LIFE_S }));
  const wanted = renew !== undefined;
  useEffect(() => {
    if (!wanted) return;
    let timer: ReturnType<typeof setTimeout>;
    let over = false;
    const wait = (ms: number) => {
      if (!over) timer = setTimeout(turn, ms);
    };
    const turn = () => {
      renewNow().then(
        ({ expiresIn }) => wait(halfLifeMs(expiresIn)),
        () => wait(RETRY_MS),
      );
    };
    wait(halfLifeMs(FRESH_LIFE_S));
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [wanted]);
}

function halfLifeMs(seconds: number): number {
  return Math.max(seconds * 500, 1000);
}
