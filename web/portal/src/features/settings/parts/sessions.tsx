/** The person's sessions, with buttons to end them. */
import { Badge, Button, Text } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { messageOf, type OpenSessionOut } from '@vitrine/api';
import { Suspense, useRef, useState } from 'react';
import { useSignOutEverywhere } from '~/features/session/sign-out.ts';
import { session } from '~/shared/api/session.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { useEndSession } from '../api/end-session.ts';
import { sessionsQuery } from '../api/session-queries.ts';
import { detailsOf, deviceOf, isHandheld, sorted } from '../model.ts';
import { settingsTexts } from '../texts.ts';
import { Card } from './card.tsx';
import { Row, Rows, RowsSkeleton } from './rows.tsx';
import classes from './sessions.module.css';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

/** Sessions shown initially. */
const FEW = 5;

export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const [asked, setAsked] = useState<OpenSessionOut | 'everywhere' | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const end = useEndSession();
  const everywhere = useSignOutEverywhere();
  const confirm = () => {
    if (asked === 'everywhere') return everywhere.mutate();
    if (asked === null) return;
    end.mutate(asked.uid, {
      onSuccess: () => {
        // The row with the focused button is gone.
        setAsked(null);
        title.current?.focus();
      },
    });
  };
  return (
    <Card title={settingsTexts.sessionsTitle} titleRef={title}>
      {sessions.isLoadingError ? (
        <ErrorState message={messageOf(sessions.error)} onRetry={() => void sessions.refetch()} />
      ) : sessions.data === undefined ? (
        <RowsSkeleton rows={['plain', 'button', 'button']} />
      ) : (
        <SessionList sessions={sorted(sessions.data)} now={session.now(sessions.dataUpdatedAt)} onEnd={setAsked} />
      )}
      <div className={classes.foot}>
        <Button variant="light" color="red" size="xs" onClick={() => setAsked('everywhere')}>
          {settingsTexts.everywhere}
        </Button>
      </div>
      <Suspense>
        {asked !== null && (
          <ConfirmDialog
            opened
            action={asked === 'everywhere' ? settingsTexts.everywhere : settingsTexts.endSession}
            busy={end.isPending || everywhere.isPending}
            onConfirm={confirm}
            onClose={() => setAsked(null)}
          >
            {asked === 'everywhere' ? settingsTexts.everywhereQuestion : settingsTexts.endQuestion(deviceOf(asked))}
          </ConfirmDialog>
        )}
      </Suspense>
    </Card>
  );
}

interface SessionListProps {
  sessions: readonly OpenSessionOut[];
  /** When the list was loaded. */
  now: number;
  onEnd: (session: OpenSessionOut) => void;
}

function SessionList({ sessions, now, onEnd }: SessionListProps) {
  const [all, setAll] = useState(false);
  if (sessions.length === 0) {
    return (
      <Text c="dimmed" className={classes.none}>
        {settingsTexts.noSessions}
      </Text>
    );
  }
  const shown = all ? sessions : sessions.slice(0, FEW);
  return (
    <>
      <Rows label={settingsTexts.sessionsTitle}>
        {shown.map((session) => (
          <Row
            key={session.uid}
            icon={isHandheld(session) ? IconDeviceMobile : IconDeviceLaptop}
            title={
              <>
                {deviceOf(session)}
                {session.current && <Badge color="green">{settingsTexts.thisDevice}</Badge>}
              </>
            }
            detail={detailsOf(session, now)}
            action={session.current ? undefined : <EndButton session={session} onEnd={onEnd} />}
          />
        ))}
      </Rows>
      {sessions.length > FEW && (
        <div className={classes.more}>
          <Button variant="subtle" size="xs" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? settingsTexts.showFewer : settingsTexts.showAll(sessions.length)}
          </Button>
        </div>
      )}
    </>
  );
}

function EndButton({ session, onEnd }: { session: OpenSessionOut; onEnd: (session: OpenSessionOut) => void }) {
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`${settingsTexts.endSession}: ${deviceOf(session)}`}
      onClick={() => onEnd(session)}
    >
      {settingsTexts.endSession}
    </Button>
  );
}
