/** A menu whose button renders at once and whose list loads later, so that no screen waits for it. */
import { type ReactElement, type ReactNode, Suspense, useState } from 'react';

interface MenuWithTargetProps {
  /** The button alone; a press is remembered until the list has loaded. */
  target: (onPress: () => void) => ReactElement;
  /** The lazily loaded button and list. */
  menu: (wanted: boolean) => ReactNode;
}

export function MenuWithTarget({ target, menu }: MenuWithTargetProps) {
  const [wanted, setWanted] = useState(false);
  return <Suspense fallback={target(() => setWanted(true))}>{menu(wanted)}</Suspense>;
}
