/** A list of names and values; an empty value shows N/A. */
import { commonTexts } from '../lib/texts.ts';
import classes from './facts.module.css';

export function Facts({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className={classes.list}>
      {rows.map(([name, value]) => (
        <div key={name} className={classes.row}>
          <dt>{name}</dt>
          <dd>{value === '' ? commonTexts.notAvailable : value}</dd>
        </div>
      ))}
    </dl>
  );
}
