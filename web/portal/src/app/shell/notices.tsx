/** App-wide notices: no connection, a busy server, a newer version. */
import { Button, Group, Text } from '@mantine/core';
import { IconHourglass, IconWifiOff } from '@tabler/icons-react';
import { waits } from '@vitrine/api';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useOnline } from '~/shared/lib/online.ts';
import { appTexts } from '../texts.ts';
import { type AppWorker, appWorker } from './app-worker.ts';
import classes from './notices.module.css';

/** Stays mounted as a live region, so that screen readers announce what appears in it. */
export function Notices({ worker = appWorker }: { worker?: AppWorker }) {
  const online = useOnline();
  const busyUntil = useSyncExternalStore(waits.subscribe, waits.until);
  const newer = useSyncExternalStore(worker.subscribe, worker.hasNewer);
  useEffect(() => {
    // Private windows may refuse workers; the portal works without one.
    worker.start().catch((error: unknown) => console.warn('no service worker', error));
  }, [worker]);
  return (
    <div className={classes.notices} role="status">
      {!online && (
        <Group className={classes.notice} gap="sm" wrap="nowrap">
          <IconWifiOff size={18} stroke={1.7} className={classes.icon} aria-hidden />
          <Text fz="sm">{appTexts.offlineNotice}</Text>
        </Group>
      )}
      {busyUntil !== null && <ServerBusy until={busyUntil} />}
      {newer && <NewerVersion onUpdate={worker.update} />}
    </div>
  );
}

/** Shown while calls wait out the server's Retry-After. */
function ServerBusy({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <Group className={classes.notice} gap="sm" wrap="nowrap">
      <IconHourglass size={18} stroke={1.7} className={classes.icon} aria-hidden />
      <Text fz="sm">
        {appTexts.serverBusy}
        {/* Hidden from screen readers, which would announce every second. */}
        <span className="tabular" aria-hidden>
          {appTexts.secondsLeft(Math.max(1, Math.ceil((until - now) / 1000)))}
        </span>
      </Text>
    </Group>
  );
}

function NewerVersion({ onUpdate }: { onUpdate: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const update = () => {
    setBusy(true);
    void onUpdate();
  };
  return (
    <Group className={classes.notice} gap="md" wrap="nowrap">
      <Text fz="sm">{appTexts.newVersion}</Text>
      <Button size="xs" loading={busy} onClick={update}>
        {appTexts.update}
      </Button>
    </Group>
  );
}
