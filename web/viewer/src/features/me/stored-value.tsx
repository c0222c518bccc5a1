/** A value of the export, as a person reads it. */
import { dateText } from '~/shared/language.ts';
import classes from './me-page.module.css';
import { isTime, labelOf } from './model.ts';
import { ME } from './texts.ts';

/** The names to show instead of ids. */
type Names = ReadonlyMap<string, string>;

export function StoredValue({ value, names }: { value: unknown; names: Names }) {
  if (value === null || value === undefined || value === '')
    return <span className={classes.dimmed}>{ME.nothing}</span>;
  if (typeof value === 'boolean') return value ? ME.yes : ME.no;
  if (Array.isArray(value)) return <StoredList values={value} names={names} />;
  if (typeof value === 'object') return <StoredFields fields={value} names={names} />;
  const text = String(value);
  const name = names.get(text);
  if (name !== undefined) return name;
  return isTime(text) ? <time dateTime={text}>{dateText(text, 'time')}</time> : text;
}

function StoredFields({ fields, names }: { fields: object; names: Names }) {
  return (
    <dl className={classes.fields}>
      {Object.entries(fields).map(([key, value]) => (
        <div key={key}>
          <dt>{ME.dataLabels[key] ?? labelOf(key)}</dt>
          <dd>
            <StoredValue value={value} names={names} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Long lists are closed until they are wanted. */
function StoredList({ values, names }: { values: readonly unknown[]; names: Names }) {
  if (values.length === 0) return <span className={classes.dimmed}>{ME.nothing}</span>;
  return (
    <details className={classes.more}>
      <summary>{ME.entries(values.length)}</summary>
      <ul className={classes.entries}>
        {values.map((value, place) => (
          // The list is shown as it came and never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <li key={place}>
            <StoredValue value={value} names={names} />
          </li>
        ))}
      </ul>
    </details>
  );
}
