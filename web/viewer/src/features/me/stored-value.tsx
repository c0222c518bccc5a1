/** A value of the export, as a person reads it. */
import { dateText, durationText, numberText, regionText, textsOf } from '~/shared/language.ts';
import classes from './me-page.module.css';
import { fieldsOf, isTime, isUnavailable, labelOf, type Names, numberOf } from './model.ts';
import { ME } from './texts.ts';

const OPTIONS = textsOf('options');

interface StoredValueProps {
  value: unknown;
  names: Names;
  /** The name of the field, which says what kind of value it is. */
  field?: string;
  /** The kind of the item that the value is about. */
  kind?: unknown;
}

export function StoredValue({ value, names, field = '', kind }: StoredValueProps) {
  if (isUnavailable(field, value, names)) return <span className={classes.dimmed}>{ME.unavailable}</span>;
  if (value === null || value === undefined || value === '')
    return <span className={classes.dimmed}>{ME.nothing}</span>;
  if (typeof value === 'boolean') return value ? ME.yes : ME.no;
  if (typeof value === 'number') return numberIn(field, value, kind);
  if (Array.isArray(value)) return <StoredList values={value} names={names} field={field} />;
  if (typeof value === 'object') return <StoredFields fields={value} names={names} />;
  const text = String(value);
  if (isTime(text)) return <time dateTime={text}>{dateText(text, 'time')}</time>;
  if (field === 'country') return regionText(text);
  return names.get(text)?.name ?? OPTIONS[field]?.[text] ?? ME.dataValues[field]?.[text] ?? text;
}

function numberIn(field: string, number: number, kind: unknown): string {
  const { unit, value } = numberOf(field, number, kind);
  if (unit === 'page') return ME.page(value);
  if (unit === 'pages') return ME.pages(value);
  return unit === 'ms' ? durationText(value) : numberText(value);
}

function StoredFields({ fields, names }: { fields: object; names: Names }) {
  const { contentId, action } = fields as { contentId?: unknown; action?: unknown };
  // The target of a change is an item or a playlist, or something that has no title.
  const isTitled = /^(content|playlist)\./.test(String(action));
  const kind = typeof contentId === 'string' ? names.get(contentId)?.kind : undefined;
  return (
    <dl className={classes.fields}>
      {fieldsOf(fields).map(([key, value]) => (
        <div key={key}>
          <dt>{ME.dataLabels[key] ?? labelOf(key)}</dt>
          <dd>
            <StoredValue value={value} names={names} field={key === 'target' && isTitled ? 'item' : key} kind={kind} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Long lists are closed until they are wanted. */
function StoredList({ values, names, field }: { values: readonly unknown[]; names: Names; field: string }) {
  if (values.length === 0) return <span className={classes.dimmed}>{ME.nothing}</span>;
  return (
    <details className={classes.more}>
      <summary>{ME.entries(values.length)}</summary>
      <ul className={classes.entries}>
        {values.map((value, place) => (
          // The list is shown as it came and never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <li key={place}>
            <StoredValue value={value} names={names} field={field} />
          </li>
        ))}
      </ul>
    </details>
  );
}
