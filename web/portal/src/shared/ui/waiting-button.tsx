/** A button with a cooldown that shows the seconds left. */
import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';
import { commonTexts } from '../lib/texts.ts';

interface WaitingButtonProps extends ButtonProps {
  type?: 'submit' | 'button';
  /** Seconds left; 0 if it can be pressed. */
  wait: number;
  onClick?: () => void;
  children: ReactNode;
}

/** Uses aria-disabled rather than disabled, so that it keeps focus while waiting. */
export function WaitingButton({ wait, onClick, children, type = 'button', ...rest }: WaitingButtonProps) {
  const waits = wait > 0;
  const press: MouseEventHandler = (event) => {
    if (waits) event.preventDefault();
    else onClick?.();
  };
  return (
    <Button {...rest} type={type} aria-disabled={waits || undefined} data-disabled={waits || undefined} onClick={press}>
      {waits ? (
        <>
          {children}
          <span className="tabular">{commonTexts.secondsLeft(wait)}</span>
        </>
      ) : (
        children
      )}
    </Button>
  );
}
