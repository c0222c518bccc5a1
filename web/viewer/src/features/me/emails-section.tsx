/** Whether an organisation's emails about new things arrive. */
import { useQuery } from '@tanstack/react-query';
import type { JoinedOrganisationOut } from '@vitrine/api';
import { FailedPart } from '~/shared/ui/states.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { emailsQuery, useSetEmails } from './calls.ts';
import classes from './me-page.module.css';
import { SwitchRow } from './switch-row.tsx';
import { ME } from './texts.ts';

export function EmailsSection({ organisation }: { organisation: JoinedOrganisationOut }) {
  const { data, error, refetch } = useQuery(emailsQuery(organisation.uid));
  const change = useSetEmails(organisation.uid);
  const on = change.isPending ? change.variables : (data?.emails ?? false);
  if (data === undefined && error !== null) {
    return (
      <section className={classes.card} aria-labelledby="emails">
        <h2 id="emails">{ME.emails}</h2>
        <FailedPart error={error} onRetry={() => void refetch()} />
      </section>
    );
  }
  const flip = () =>
    change.mutate(!on, {
      onSuccess: ({ emails }) => showToast('success', emails ? ME.emailsOn : ME.emailsOff),
    });
  return (
    <SwitchRow
      title={ME.emails}
      lead={ME.emailsLead(organisation.name)}
      on={on}
      disabled={data === undefined || change.isPending}
      onFlip={flip}
    />
  );
}
