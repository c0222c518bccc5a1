/** The person's consent: a switch, and on request the notice and all answers. */
import { useQuery } from '@tanstack/react-query';
import type { JoinedOrganisationOut, OwnConsentsOut } from '@vitrine/api';
import { useState } from 'react';
import { NoticeText, noticeIn } from '~/features/organisations/notice.tsx';
import { dateText } from '~/shared/language.ts';
import { SHARED } from '~/shared/lib/texts.ts';
import { Button } from '~/shared/ui/button.tsx';
import { FailedState, Loading, Skeleton } from '~/shared/ui/states.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { ownConsentsQuery, useSetConsent } from './calls.ts';
import classes from './me-page.module.css';
import { SwitchRow } from './switch-row.tsx';
import { ME } from './texts.ts';

export function ConsentSection({ organisation }: { organisation: JoinedOrganisationOut }) {
  const change = useSetConsent(organisation.uid);
  const given = change.isPending ? change.variables.consent : organisation.consent === true;
  const [asking, setAsking] = useState(false);
  const [open, setOpen] = useState(false);
  const answer = (body: Parameters<typeof change.mutate>[0]) =>
    change.mutate(body, {
      onSuccess: () => {
        setAsking(false);
        showToast('success', body.consent ? ME.consentOn : ME.consentOff);
      },
    });
  return (
    <SwitchRow
      title={ME.consent}
      lead={ME.consentLead(organisation.name)}
      on={given}
      disabled={change.isPending}
      onFlip={() => (given ? answer({ consent: false }) : setAsking(!asking))}
    >
      {asking && !given ? (
        <Question
          orgId={organisation.uid}
          onYes={(noticeVersion) => answer({ consent: true, noticeVersion })}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <details className={classes.more} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{ME.consentMore}</summary>
          {open ? <NoticeAndAnswers orgId={organisation.uid} /> : null}
        </details>
      )}
    </SwitchRow>
  );
}

interface QuestionProps {
  orgId: string;
  onYes: (noticeVersion: string) => void;
  onCancel: () => void;
}

/** A yes is an answer to the notice, which is therefore shown first. */
function Question({ orgId, onYes, onCancel }: QuestionProps) {
  const { data, error, refetch } = useQuery(ownConsentsQuery(orgId));
  if (data === undefined && error !== null) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <WaitingForNotice />;
  return (
    <div className={classes.more} role="status">
      <Notice {...data.notice} />
      <div className={classes.actions}>
        <Button onClick={() => onYes(data.notice.version)}>{ME.consentYes}</Button>
        <Button onClick={onCancel}>{SHARED.cancel}</Button>
      </div>
    </div>
  );
}

function WaitingForNotice() {
  return (
    <Loading>
      <Skeleton height="160px" />
    </Loading>
  );
}

function Notice(notice: OwnConsentsOut['notice']) {
  return (
    <>
      <h3>{ME.noticeOf(dateText(notice.version))}</h3>
      <NoticeText {...noticeIn(notice)} />
    </>
  );
}

function NoticeAndAnswers({ orgId }: { orgId: string }) {
  const { data, error, refetch } = useQuery(ownConsentsQuery(orgId));
  if (data === undefined && error !== null) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <WaitingForNotice />;
  return (
    <>
      <ul className={classes.answers}>
        {data.data.map(({ uid, consent, timeCreated }) => (
          <li key={uid}>
            <span>{consent ? ME.answeredYes : ME.answeredNo}</span>
            <time dateTime={timeCreated} className={classes.dimmed}>
              {dateText(timeCreated, 'time')}
            </time>
          </li>
        ))}
      </ul>
      {data.data.length === 0 ? <p className={classes.dimmed}>{ME.noAnswers}</p> : null}
      <Notice {...data.notice} />
    </>
  );
}
