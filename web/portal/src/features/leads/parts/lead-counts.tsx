/** How many leads there are of each temperature; each count shows only those. */
import { Skeleton, Text } from '@mantine/core';
import type { LeadCountsOut, Temperature } from '@vitrine/api';
import { count } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { temperatures } from '../model.ts';
import { leadTexts } from '../texts.ts';
import classes from './lead-counts.module.css';

interface LeadCountsProps {
  /** Undefined while loading. */
  counts: LeadCountsOut | undefined;
  failed: boolean;
  chosen: Temperature | null;
  onChoose: (temperature: Temperature | null) => void;
}

const toggles = [
  { key: 'total', temperature: null, label: leadTexts.total },
  { key: 'hot', temperature: 'hot', label: leadTexts.hot },
  { key: 'warm', temperature: 'warm', label: leadTexts.warm },
  { key: 'cold', temperature: 'cold', label: leadTexts.cold },
] as const;

export function LeadCounts({ counts, failed, chosen, onChoose }: LeadCountsProps) {
  return (
    <fieldset className={classes.counts}>
      <legend className={classes.legend}>{leadTexts.filter}</legend>
      {toggles.map(({ key, temperature, label }) => {
        const color = temperature === null ? 'gray' : temperatures[temperature].color;
        const share = counts === undefined || counts.total === 0 ? 0 : counts[key] / counts.total;
        return (
          <button
            key={key}
            type="button"
            className={classes.count}
            aria-pressed={chosen === temperature}
            onClick={() => onChoose(temperature)}
          >
            <Text c="dimmed" fz="sm" component="span" className={classes.label ?? ''}>
              {temperature !== null && (
                <span className={classes.dot} style={{ background: `var(--vt-${color}-6)` }} aria-hidden="true" />
              )}
              {label}
            </Text>
            {counts === undefined && !failed ? (
              <Skeleton component="span" display="block" height={28} width={64} my={7} />
            ) : (
              <span className={`figure ${classes.figure}`}>
                {counts === undefined ? commonTexts.notAvailable : count(counts[key])}
              </span>
            )}
            <span className={classes.track} aria-hidden="true">
              <span
                style={{ width: `${share * 100}%`, background: `var(--vt-${color}-${temperature === null ? 4 : 6})` }}
              />
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}
