/** A button that has to wait for some seconds, and says for how many. */
import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';

interface WaitingButtonProps extends ButtonProps {
  type?: 'submit' | 'button';
  /** Seconds that are left; 0 when it may be pressed. */
  wait: number;
  onClick?: () => void;
  children: ReactNode;
}

/** It keeps the focus while it waits, so nobody loses their place. */
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
          <span className="tabular">&nbsp;({wait} s)</span>
        </>
      ) : (
        children
      )}
    </Button>
  );
}
