/** Buttons and links that look like buttons. */
import type { ButtonHTMLAttributes } from 'react';
import classes from './button.module.css';

/** `primary` is the main action of a view, in the organisation's button color. */
export type ButtonTone = 'primary' | 'plain' | 'danger' | 'quiet';

/** Returns the classes of a tone, for links. */
export function buttonClass(tone: ButtonTone = 'plain', wide = false): string {
  return [classes.button, classes[tone], wide ? classes.wide : ''].filter(Boolean).join(' ');
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: ButtonTone;
  wide?: boolean;
  /** The action is running; the button is disabled but keeps its size. */
  busy?: boolean;
}

/** A button at least 44 px high, the minimum touch target. */
export function Button({ tone = 'plain', wide = false, busy = false, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(tone, wide)}
      disabled={rest.disabled === true || busy}
      aria-busy={busy}
    />
  );
}
