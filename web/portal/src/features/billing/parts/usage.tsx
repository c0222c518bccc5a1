/** What an organisation uses of its plan, and what happens when that is used up. */
import { Progress, Skeleton, Text } from '@mantine/core';
import type { UsageOut } from '@vitrine/api';
import { useId } from 'react';
import { count, fileSize } from '~/shared/lib/format.ts';
import { billingTexts } from '../texts.ts';
import classes from './usage.module.css';

/** From this share on, a meter is a warning. */
const NEARLY = 0.9;

/** Undefined while loading. */
export function Usage({ usage }: { usage: UsageOut | undefined }) {
  const { meters } = billingTexts;
  if (usage === undefined) {
    return (
      <div className={classes.meters}>
        {Object.keys(meters).map((name) => (
          <Skeleton key={name} height="auto" className={classes.waiting ?? ''} />
        ))}
      </div>
    );
  }
  const { storage, staff, appUsers } = usage;
  return (
    <div className={classes.meters}>
      <Meter texts={meters.storage} {...storage} format={fileSize} />
      <Meter texts={meters.staff} {...staff} format={count} />
      <Meter texts={meters.appUsers} {...appUsers} format={count} />
    </div>
  );
}

interface MeterProps {
  texts: { label: string; next: string };
  used: number;
  allowed?: number | null;
  format: (amount: number) => string;
}

function Meter({ texts, used, allowed, format }: MeterProps) {
  const id = useId();
  const limited = typeof allowed === 'number';
  const share = limited && allowed > 0 ? Math.min(used / allowed, 1) : 0;
  const isNearlyFull = limited && used >= allowed * NEARLY;
  return (
    <div>
      <div className={classes.line}>
        <Text component="span" fz="sm" id={id}>
          {texts.label}
        </Text>
        <Text component="span" c="dimmed" fz="sm" className="tabular">
          {limited ? billingTexts.usedOf(format(used), format(allowed)) : billingTexts.unlimited(format(used))}
        </Text>
      </div>
      {limited && (
        <Progress.Root size={6} className={classes.track ?? ''}>
          <Progress.Section
            value={Math.round(share * 100)}
            color={isNearlyFull ? 'red' : 'brand'}
            aria-labelledby={id}
          />
        </Progress.Root>
      )}
      {limited && (
        <Text c={isNearlyFull ? undefined : 'dimmed'} fz="xs" mt={4}>
          {texts.next}
        </Text>
      )}
    </div>
  );
}
