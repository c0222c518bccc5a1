/** A line shown while calls wait out a busy server's Retry-After. */
import { waits } from '@vitrine/api';
import { Icon } from '@vitrine/brand/icon';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { SHELL } from '../texts.ts';
import classes from './shell.module.css';

/** Empty while the server is not busy. */
export function BusyLine() {
  const until = useSyncExternalStore(waits.subscribe, waits.until);
  return <div role="status">{until === null ? null : <Busy until={until} />}</div>;
}

function Busy({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className={classes.offline}>
      <Icon name="alert" size={16} />
      {SHELL.serverBusy}
      {/* Hidden from screen readers, which would announce every second. */}
      <span aria-hidden="true">{SHELL.secondsLeft(Math.max(1, Math.ceil((until - now) / 1000)))}</span>
    </p>
  );
}
