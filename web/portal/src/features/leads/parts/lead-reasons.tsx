/** Why a lead has its score: the entries that gave points, in plain language. */
import { Button, Skeleton, Text, Title } from '@mantine/core';
import { type LeadExplanationOut, messageOf } from '@vitrine/api';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { subjectTitle } from '~/features/analytics/subject.ts';
import { session } from '~/shared/api/session.ts';
import { locale } from '~/shared/lib/locale.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { When } from '~/shared/ui/when.tsx';
import classes from './lead-modal.module.css';
import { leadDetailTexts } from './texts.ts';

interface LeadReasonsProps {
  query: { data: LeadExplanationOut | undefined; isError: boolean; error: unknown; refetch: () => unknown };
}

/** Entries shown initially. */
const FEW = 5;

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

export function LeadReasons({ query }: LeadReasonsProps) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const showAll = () => {
    flushSync(() => setAll(true));
    // The button is gone.
    (list.current?.children[FEW] as HTMLElement | undefined)?.focus();
  };
  const reasons = query.data?.reasons;
  return (
    <section aria-labelledby="why">
      <Title order={3} fz={14} id="why">
        {leadDetailTexts.why}
      </Title>
      <Text c="dimmed" fz="sm" mb="xs">
        {leadDetailTexts.whyHint} {leadDetailTexts.thresholds}
      </Text>
      {reasons === undefined ? (
        query.isError ? (
          <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
        ) : (
          Array.from({ length: FEW }, (_, row) => <Skeleton key={row.toString()} height={14} my={16} />)
        )
      ) : reasons.length === 0 ? (
        <Text c="dimmed">{leadDetailTexts.noReasons}</Text>
      ) : (
        <ul ref={list} className={classes.list} aria-labelledby="why">
          {(all ? reasons : reasons.slice(0, FEW)).map((reason, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries of the same time and cause have no other identity
            <li key={`${reason.time} ${reason.cause} ${index}`} className={classes.reason} tabIndex={-1}>
              <Text>{reasonText(reason)}</Text>
              <span className={classes.points}>{leadDetailTexts.points(number.format(reason.points))}</span>
              <Text c="dimmed" fz="xs" component="div">
                <When time={reason.time} now={session.now()} />
              </Text>
              <Text c="dimmed" fz="xs" ta="right" className="tabular">
                {leadDetailTexts.nowWorth(number.format(reason.current))}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {!all && (reasons?.length ?? 0) > FEW && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={showAll}>
          {leadDetailTexts.showReasons(reasons?.length ?? 0)}
        </Button>
      )}
    </section>
  );
}

/** Describes why points were given. */
function reasonText(reason: LeadExplanationOut['reasons'][number]): string {
  const texts: Record<string, (title: string) => string> = leadDetailTexts.reasons;
  return texts[reason.cause]?.(subjectTitle(reason)) ?? reason.cause;
}
