/** Buttons and links that look like buttons. */
import type { ButtonHTMLAttributes } from 'react';
import classes from './button.module.css';

/** `primary` is the one main action of a view, in the organisation's button colour. */
export type ButtonTone = 'primary' | 'plain' | 'danger' | 'quiet';

/** The class of a tone, for links. */
export function buttonClass(tone: ButtonTone = 'plain', wide = false): string {
  return [classes.button, classes[tone], wide ? classes.wide : ''].filter(Boolean).join(' ');
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: ButtonTone;
  wide?: boolean;
  /** The action runs: the button keeps its place and cannot be pressed again. */
  busy?: boolean;
}

/** A button of at least 44 px. */
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
