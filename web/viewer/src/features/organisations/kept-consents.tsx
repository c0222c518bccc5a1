/** The organisations that the person cannot open but that still hold the person's consent. */
import { useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { SHARED } from '~/shared/lib/texts.ts';
import { Button } from '~/shared/ui/button.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import classes from './kept-consents.module.css';
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
      <p className={classes.dimmed}>{ORGANISATIONS.keptText}</p>
      <ul className={classes.list}>
        {data.map(({ uid, name }) => (
          <li key={uid}>
            <span>{name}</span>
            <Button
              aria-label={ORGANISATIONS.withdrawNamed(name)}
              busy={withdraw.isPending && withdraw.variables === uid}
              onClick={() => onWithdraw(uid, name)}
            >
              {ORGANISATIONS.withdraw}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
