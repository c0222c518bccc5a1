/** The person's consent: a switch, and on request the notice and all answers. */
import { useQuery } from '@tanstack/react-query';
import type { JoinedOrganisationOut } from '@vitrine/api';
import { useState } from 'react';
import { dateText } from '~/shared/language.ts';
import { FailedState, Loading, Skeleton } from '~/shared/ui/states.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { ownConsentsQuery, useSetConsent } from './calls.ts';
import classes from './me-page.module.css';
import { SwitchRow } from './switch-row.tsx';
import { ME } from './texts.ts';

export function ConsentSection({ organisation }: { organisation: JoinedOrganisationOut }) {
  const change = useSetConsent(organisation.uid);
  const given = change.isPending ? change.variables : organisation.consent === true;
  const [open, setOpen] = useState(false);
  const flip = () =>
    change.mutate(!given, {
      onSuccess: (_record, consent) => showToast('success', consent ? ME.consentOn : ME.consentOff),
    });
  return (
    <SwitchRow
      title={ME.consent}
      lead={ME.consentLead(organisation.name)}
      on={given}
      disabled={change.isPending}
      onFlip={flip}
    >
      <details className={classes.more} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{ME.consentMore}</summary>
        {open ? <NoticeAndAnswers orgId={organisation.uid} /> : null}
      </details>
    </SwitchRow>
  );
}

function NoticeAndAnswers({ orgId }: { orgId: string }) {
  const { data, error, refetch } = useQuery(ownConsentsQuery(orgId));
  if (error !== null) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Loading>
        <Skeleton height="160px" />
      </Loading>
    );
  }
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
      <h3>{ME.noticeOf(dateText(data.notice.version))}</h3>
      {data.notice.text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </>
  );
}
