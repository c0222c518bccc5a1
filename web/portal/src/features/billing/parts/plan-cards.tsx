/** The plans to choose from, monthly or annual. */
import { Button, SegmentedControl, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf, type PlanOut } from '@vitrine/api';
import { useState } from 'react';
import { ErrorState } from '~/shared/ui/state.tsx';
import { plansQuery } from '../api/billing-queries.ts';
import { billingTexts } from '../texts.ts';
import classes from './plan.module.css';
import { Allowed, Price } from './plan-summary.tsx';

export function PlanCards() {
  const plans = useQuery(plansQuery);
  const [chosen, setChosen] = useState<PlanOut['interval'] | null>(null);
  if (plans.isLoadingError) return <ErrorState message={messageOf(plans.error)} onRetry={() => void plans.refetch()} />;
  if (plans.data === undefined) {
    return (
      <div className={classes.plans} aria-busy="true">
        <Skeleton height={320} radius="lg" />
        <Skeleton height={320} radius="lg" />
      </div>
    );
  }
  const intervals = (['month', 'year'] as const).filter((one) => plans.data.some(({ interval }) => interval === one));
  const interval = chosen ?? intervals[0];
  const shown = plans.data.filter((plan) => plan.interval === interval);
  return (
    <Stack gap="md" align="stretch">
      {intervals.length > 1 && interval !== undefined && (
        <SegmentedControl
          aria-label={billingTexts.interval}
          value={interval}
          onChange={(value) => setChosen(intervals.find((one) => one === value) ?? null)}
          data={intervals.map((value) => ({ value, label: billingTexts.intervals[value] }))}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      <ul className={classes.plans}>
        {shown.map((plan, place) => (
          <li key={plan.id} className={classes.plan}>
            <Title order={2} fz={16}>
              {plan.title}
            </Title>
            <Price plan={plan} />
            <Allowed plan={plan} />
            <Button
              variant={place === shown.length - 1 ? 'filled' : 'default'}
              renderRoot={(props) => <Link to="/select-billing-account" search={{ planId: plan.id }} {...props} />}
            >
              {billingTexts.choosePlan(plan.title)}
            </Button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
