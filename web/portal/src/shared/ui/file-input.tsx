/** A file field that a button opens: there for screen readers and tests, out of sight for everybody else. */
import type { Ref } from 'react';
import classes from './file-input.module.css';

interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  id?: string;
  accept?: string;
  /** Called for each choice, for the same file again too; not for a choice that was called off. */
  onFile: (file: File) => void;
}

export function FileInput({ ref, label, id, accept, onFile }: FileInputProps) {
  return (
    <input
      ref={ref}
      id={id}
      type="file"
      tabIndex={-1}
      accept={accept}
      aria-label={label}
      className={classes.input}
      onChange={(event) => {
        const file = event.currentTarget.files?.[0];
        if (file !== undefined) onFile(file);
        event.currentTarget.value = '';
      }}
    />
  );
}
