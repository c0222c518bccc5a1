/** Asks for confirmation before an action that is hard to undo. Uses the native modal dialog. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './confirm-dialog.module.css';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text: string;
  onClose: () => void;
  /** The two buttons, the safe one first. */
  children: ReactNode;
}

/** Escape closes it and returns focus. */
export function ConfirmDialog({ open, title, text, onClose, children }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
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
      <div className={classes.buttons}>{children}</div>
    </dialog>
  );
}
