/** A hidden file input, opened by a button, which is what screen readers and the keyboard find. */
import type { Ref } from 'react';
import classes from './file-input.module.css';

interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  id?: string;
  accept?: string;
  /** Called for each choice, including the same file again, but not when the dialog is cancelled. */
  onFile: (file: File) => void;
}

export function FileInput({ ref, label, id, accept, onFile }: FileInputProps) {
  return (
    <input
      ref={ref}
      id={id}
      type="file"
      tabIndex={-1}
      aria-hidden
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
