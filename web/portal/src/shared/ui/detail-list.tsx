/** A list of names and values; an empty value shows N/A. */
import type { ReactNode } from 'react';
import { commonTexts } from '../lib/texts.ts';
import { Breakable } from './breakable.tsx';
import classes from './detail-list.module.css';

export function DetailList({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.list}>
      {rows.map(([name, value]) => (
        <div key={name} className={classes.row}>
          <dt>{name}</dt>
          <dd>
            {value === '' ? commonTexts.notAvailable : typeof value === 'string' ? <Breakable text={value} /> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
