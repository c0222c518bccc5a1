/** A menu whose button is there at once and whose list comes a moment later, so that no screen waits for it. */
import { type ReactElement, type ReactNode, Suspense, useState } from 'react';

interface MenuWithTargetProps {
  /** The button alone; a press is remembered until the list is there. */
  target: (onPress: () => void) => ReactElement;
  /** Button and list, from a file of their own. */
  menu: (wanted: boolean) => ReactNode;
}

export function MenuWithTarget({ target, menu }: MenuWithTargetProps) {
  const [wanted, setWanted] = useState(false);
  return <Suspense fallback={target(() => setWanted(true))}>{menu(wanted)}</Suspense>;
}
