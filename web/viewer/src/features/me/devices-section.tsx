/** Where the person is signed in, with a button that ends each of the other sessions. */
import { useQuery } from '@tanstack/react-query';
import type { OpenSessionOut } from '@vitrine/api';
import { useRef } from 'react';
import { dateText } from '~/shared/language.ts';
import { Button } from '~/shared/ui/button.tsx';
import { FailedPart, Loading, Skeleton } from '~/shared/ui/states.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { sessionsQuery, useEndSession } from './calls.ts';
import classes from './me-page.module.css';
import { ME } from './texts.ts';

export function DevicesSection() {
  const title = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch } = useQuery(sessionsQuery);
  // Here and not in the row, which goes away with its session.
  const end = useEndSession();
  const onEnd = (session: OpenSessionOut) =>
    end.mutate(session.uid, {
      onSuccess: () => {
        title.current?.focus();
        showToast('success', ME.ended(nameOf(session)));
      },
    });
  return (
    <section className={classes.card} aria-labelledby="devices">
      <h2 id="devices" ref={title} tabIndex={-1}>
        {ME.devices}
      </h2>
      {error === null ? null : <FailedPart error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? (
        <Loading>
          <Skeleton height="44px" />
        </Loading>
      ) : null}
      <ul className={classes.devices}>
        {data?.map((session) => (
          <Device
            key={session.uid}
            session={session}
            busy={end.isPending && end.variables === session.uid}
            onEnd={() => onEnd(session)}
          />
        ))}
      </ul>
    </section>
  );
}

function nameOf({ device, app }: OpenSessionOut): string {
  return `${device} (${app === 'portal' ? ME.apps.portal : ME.apps.viewer})`;
}

function Device({ session, busy, onEnd }: { session: OpenSessionOut; busy: boolean; onEnd: () => void }) {
  return (
    <li>
      <div>
        <p>{nameOf(session)}</p>
        <p className={classes.dimmed}>
          {session.current ? ME.thisDevice : ME.lastSeen(dateText(session.timeLastSeen, 'time'))}
        </p>
      </div>
      {session.current ? null : (
        <Button aria-label={ME.endNamed(nameOf(session))} busy={busy} onClick={onEnd}>
          {ME.endSession}
        </Button>
      )}
    </li>
  );
}
