/** Asks for confirmation before an action that is hard to undo. Uses the native modal dialog. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useBackCloses } from '../lib/back-closes.ts';
import classes from './confirm-dialog.module.css';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text: string;
  onClose: () => void;
  /** A field to fill in first. */
  field?: ReactNode;
  /** The two buttons, the safe one first. */
  children: ReactNode;
}

/** Escape and Back close it and return focus. */
export function ConfirmDialog({ open, title, text, onClose, field, children }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useBackCloses(open, onClose);
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-text`}>{text}</p>
      {field === undefined ? null : <div className={classes.field}>{field}</div>}
      <div className={classes.buttons}>{children}</div>
    </dialog>
  );
}
