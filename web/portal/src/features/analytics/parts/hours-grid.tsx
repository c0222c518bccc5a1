/** Watch time by weekday and hour, as tinted cells that are read by pointing or with the arrow keys, and as a table. */
import { Skeleton, Text } from '@mantine/core';
import type { OverviewOut } from '@vitrine/api';
import { type KeyboardEvent, useState } from 'react';
import { exactMinutes } from '~/shared/lib/format.ts';
import { hourNames, weekdayNames, weekOf } from '../model.ts';
import { analyticsTexts } from '../texts.ts';
import { DataTable } from './data-table.tsx';
import classes from './hours-grid.module.css';

const days = weekdayNames('short');
const longDays = weekdayNames('long');
const hours = hourNames();

const HOURS = 7 * 24;

/** How far the keys move, in hours of the week. */
const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -24,
  ArrowDown: 24,
  Home: -HOURS,
  End: HOURS,
};

export function HoursGrid({ data }: { data: OverviewOut['hours'] | undefined }) {
  const [pointed, setPointed] = useState<number | null>(null);
  if (data === undefined) return <Skeleton height={226} />;
  const week = weekOf(data);
  const flat = week.flat();
  const most = Math.max(...flat);
  if (most <= 0) return <Text c="dimmed">{analyticsTexts.quiet}</Text>;
  const peak = flat.indexOf(most);
  const at = pointed ?? peak;
  const cell = [longDays[Math.floor(at / 24)] ?? '', hours[at % 24] ?? '', exactMinutes(flat[at] ?? 0)] as const;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = at + step;
    const leaves = next < 0 || next >= HOURS;
    // There is no day above the first or below the last.
    setPointed(leaves && Math.abs(step) === 24 ? at : Math.min(Math.max(next, 0), HOURS - 1));
  };
  return (
    <div>
      <Text fz="sm" mb="sm" className="tabular">
        {pointed === null ? analyticsTexts.busiest(...cell) : analyticsTexts.hourReading(...cell)}
      </Text>
      <div
        role="slider"
        tabIndex={0}
        aria-label={analyticsTexts.readChart(analyticsTexts.hours)}
        aria-valuemin={0}
        aria-valuemax={HOURS - 1}
        aria-valuenow={at}
        aria-valuetext={analyticsTexts.hourReading(...cell)}
        className={classes.reader}
        onKeyDown={onKeyDown}
        onBlur={() => setPointed(null)}
        onPointerLeave={() => setPointed(null)}
      >
        <table className={classes.grid} aria-hidden="true">
          <thead>
            <tr>
              <th />
              {hours.map((name, hour) => (
                <th key={name} className={classes.hour}>
                  {hour % 6 === 0 && <span>{name}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {week.map((row, day) => (
              <tr key={longDays[day]}>
                <th className={classes.day}>{days[day]}</th>
                {row.map((value, hour) => (
                  <td
                    key={hours[hour]}
                    data-read={day * 24 + hour === pointed || undefined}
                    onPointerEnter={() => setPointed(day * 24 + hour)}
                  >
                    <span
                      className={classes.cell}
                      data-empty={value <= 0 || undefined}
                      style={value > 0 ? { opacity: 0.16 + 0.84 * (value / most) } : {}}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <DataTable
        caption={analyticsTexts.hoursCaption}
        head={[analyticsTexts.weekday, ...hours]}
        rows={week.map((row, day) => [longDays[day] ?? '', ...row.map(exactMinutes)])}
      />
      <div className={classes.legend} aria-hidden="true">
        {analyticsTexts.less}
        {[0.16, 0.4, 0.7, 1].map((opacity) => (
          <span key={opacity} className={classes.cell} style={{ opacity }} />
        ))}
        {analyticsTexts.more}
      </div>
    </div>
  );
}
