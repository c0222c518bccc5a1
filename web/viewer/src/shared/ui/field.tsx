/** Labeled form fields with error messages. */
import type { InputHTMLAttributes, SelectHTMLAttributes } from 'react';
import { useId } from 'react';
import { SHARED } from '../lib/texts.ts';
import classes from './field.module.css';

interface Labelled {
  label: string;
  error?: string | undefined;
}

/** A single-line text field. */
export function TextField({ label, error, ...input }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      />
      <FieldError id={id} text={error} />
    </div>
  );
}

/** A choice of a select. */
interface SelectOption {
  value: string;
  label: string;
}

/** A select; the empty first option means no choice. */
export function SelectField({
  label,
  error,
  options,
  ...select
}: Labelled & { options: readonly SelectOption[] } & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      >
        <option value="">{SHARED.choose}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldError id={id} text={error} />
    </div>
  );
}

function FieldError({ id, text }: { id: string; text: string | undefined }) {
  return text === undefined ? null : (
    <p id={`${id}-error`} className={classes.error} role="alert">
      {text}
    </p>
  );
}
