/** A card with a switch: what it turns on, and what that means. */
import { type ReactNode, useId } from 'react';
import classes from './me-page.module.css';

interface SwitchRowProps {
  title: string;
  lead: string;
  on: boolean;
  disabled: boolean;
  onFlip: () => void;
  children?: ReactNode;
}

export function SwitchRow({ title, lead, on, disabled, onFlip, children }: SwitchRowProps) {
  const id = useId();
  return (
    <section className={classes.card}>
      <div className={classes.row}>
        <div>
          <h2 id={id}>{title}</h2>
          <p id={`${id}-lead`} className={classes.dimmed}>
            {lead}
          </p>
        </div>
        <button
          type="button"
          role="switch"
          className={classes.switch}
          aria-checked={on}
          aria-labelledby={id}
          aria-describedby={`${id}-lead`}
          disabled={disabled}
          onClick={onFlip}
        />
      </div>
      {children}
    </section>
  );
}
