/** The organisations that the person cannot open but can leave, or withdraw the consent from. */
import { useQuery } from '@tanstack/react-query';
import type { JoinedOrganisationOut } from '@vitrine/api';
import { useId, useRef } from 'react';
import { SHARED } from '~/shared/lib/texts.ts';
import { Button } from '~/shared/ui/button.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import classes from './kept-consents.module.css';
import { LeaveButton } from './leave-button.tsx';
import { keptConsentsQuery, useWithdrawKept } from './queries.ts';
import { ORGANISATIONS } from './texts.ts';

/** Shows nothing if there are none. */
export function KeptConsents() {
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const { data, isError, refetch } = useQuery(keptConsentsQuery);
  const withdraw = useWithdrawKept();
  if (isError) {
    return (
      <section className={classes.card} role="alert">
        <p className={classes.dimmed}>{ORGANISATIONS.keptFailed}</p>
        <Button onClick={() => void refetch()}>{SHARED.tryAgain}</Button>
      </section>
    );
  }
  if (data === undefined || data.length === 0) return null;
  const onWithdraw = (orgId: string, name: string) =>
    withdraw.mutate(orgId, {
      onSuccess: () => {
        title.current?.focus();
        showToast('success', ORGANISATIONS.withdrawn(name));
      },
    });
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id} ref={title} tabIndex={-1}>
        {ORGANISATIONS.keptTitle}
      </h2>
      <ul className={classes.list}>
        {data.map((organisation) => (
          <li key={organisation.uid}>
            <div>
              <span>{organisation.name}</span>
              <p className={classes.dimmed}>{explanation(organisation)}</p>
            </div>
            <div className={classes.actions}>
              {organisation.consent === true ? (
                <Button
                  aria-label={ORGANISATIONS.withdrawNamed(organisation.name)}
                  busy={withdraw.isPending && withdraw.variables === organisation.uid}
                  onClick={() => onWithdraw(organisation.uid, organisation.name)}
                >
                  {ORGANISATIONS.withdraw}
                </Button>
              ) : null}
              {organisation.member ? (
                <LeaveButton
                  organisation={organisation}
                  label={ORGANISATIONS.leaveNamed(organisation.name)}
                  onLeft={() => title.current?.focus()}
                >
                  {ORGANISATIONS.leave}
                </LeaveButton>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function explanation({ member, consent }: JoinedOrganisationOut): string {
  if (!member) return ORGANISATIONS.keptText;
  return consent === true ? ORGANISATIONS.endedConsentText : ORGANISATIONS.endedText;
}
