/** What is being bought: the plan, its price and what it allows. */
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { PlanOut } from '@vitrine/api';
import type { ReactNode } from 'react';
import { linesOf } from '../model.ts';
import { priceOf } from '../money.ts';
import { billingTexts } from '../texts.ts';
import classes from './plan.module.css';

/** A form with what is bought beside it, or above it on small screens. Null if nothing is bought. */
export function Beside({ plan, children }: { plan: PlanOut | null | undefined; children: ReactNode }) {
  if (plan === null) return children;
  return (
    <div className={classes.sides}>
      <div className={classes.form}>{children}</div>
      <PlanSummary plan={plan} />
    </div>
  );
}

/** Undefined while loading. */
function PlanSummary({ plan }: { plan: PlanOut | undefined }) {
  return (
    <section className={classes.summary} aria-label={billingTexts.yourPlan}>
      <Text c="dimmed" fz="sm">
        {billingTexts.yourPlan}
      </Text>
      {plan === undefined ? (
        <Stack gap="xs" mt={4}>
          <Skeleton height={27} width="60%" />
          <Skeleton height={40} width="40%" />
          <Skeleton height={120} />
        </Stack>
      ) : (
        <>
          <Title order={2} fz={18} mt={2}>
            {plan.title}
          </Title>
          <Price plan={plan} />
          <Allowed plan={plan} />
          <Text c="dimmed" fz="sm" mt="md">
            {billingTexts.cancelAnyTime}
          </Text>
        </>
      )}
    </section>
  );
}

/** What the plan costs, and how often. */
export function Price({ plan: { price, interval } }: { plan: PlanOut }) {
  const { perMonth, perYear, monthly, annually } = billingTexts;
  if (price == null) {
    return (
      <Text c="dimmed" fz="sm" mt={4}>
        {billingTexts.priceLater(interval === 'year' ? annually : monthly)}
      </Text>
    );
  }
  return (
    <p className={classes.price}>
      <span className="tabular">{priceOf(price)}</span>{' '}
      <Text component="span" c="dimmed" fz="sm">
        {interval === 'year' ? perYear : perMonth}
      </Text>
    </p>
  );
}

/** What the plan allows, line by line. */
export function Allowed({ plan }: { plan: PlanOut }) {
  return (
    <ul className={classes.lines}>
      {linesOf(plan.limits).map((line) => (
        <li key={line}>
          <IconCheck size={16} stroke={2} className={classes.tick} aria-hidden />
          {line}
        </li>
      ))}
    </ul>
  );
}
