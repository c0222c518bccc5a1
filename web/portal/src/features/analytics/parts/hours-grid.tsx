/** Watch time by weekday and hour, as a table whose cells are tinted. */
import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import type { OverviewOut } from '@vitrine/api';
import { useState } from 'react';
import { exactMinutes } from '~/shared/lib/format.ts';
import { hourNames, weekdayNames, weekOf } from '../model.ts';
import { analyticsTexts } from '../texts.ts';
import classes from './hours-grid.module.css';

const days = weekdayNames('short');
const longDays = weekdayNames('long');
const hours = hourNames();

interface Cell {
  day: number;
  hour: number;
}

export function HoursGrid({ data }: { data: OverviewOut['hours'] | undefined }) {
  const [pointed, setPointed] = useState<Cell | null>(null);
  if (data === undefined) return <Skeleton height={226} />;
  const week = weekOf(data);
  const flat = week.flat();
  const most = Math.max(...flat);
  if (most <= 0) return <Text c="dimmed">{analyticsTexts.quiet}</Text>;
  const peak = flat.indexOf(most);
  const read = pointed ?? { day: Math.floor(peak / 24), hour: peak % 24 };
  const words = pointed === null ? analyticsTexts.busiest : analyticsTexts.hourReading;
  return (
    <div>
      <Text fz="sm" mb="sm" className="tabular">
        {words(longDays[read.day] ?? '', hours[read.hour] ?? '', exactMinutes(week[read.day]?.[read.hour] ?? 0))}
      </Text>
      <table className={classes.grid} onPointerLeave={() => setPointed(null)}>
        <caption>
          <VisuallyHidden>{analyticsTexts.hoursCaption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>{analyticsTexts.weekday}</VisuallyHidden>
            </th>
            {hours.map((name, hour) => (
              <th key={name} scope="col" className={classes.hour}>
                <VisuallyHidden>{name}</VisuallyHidden>
                {hour % 6 === 0 && <span aria-hidden="true">{name}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {week.map((row, day) => (
            <tr key={longDays[day]}>
              <th scope="row" className={classes.day}>
                {days[day]}
              </th>
              {row.map((value, hour) => (
                <td key={hours[hour]} onPointerEnter={() => setPointed({ day, hour })}>
                  <span
                    className={classes.cell}
                    data-empty={value <= 0 || undefined}
                    style={value > 0 ? { opacity: 0.16 + 0.84 * (value / most) } : {}}
                    aria-hidden="true"
                  />
                  <VisuallyHidden>{exactMinutes(value)}</VisuallyHidden>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
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
