/** A menu whose button renders at once and whose list loads later, so that no screen waits for it. */
import { type ReactElement, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react';

interface MenuWithTargetProps {
  /** The button alone; a press is remembered until the list has loaded. */
  target: (onPress: () => void) => ReactElement;
  /** The lazily loaded button and list. */
  menu: (wanted: boolean) => ReactNode;
}

/** The button is replaced when the list has loaded, and keeps the focus. */
export function MenuWithTarget({ target, menu }: MenuWithTargetProps) {
  const [wanted, setWanted] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const refocus = () => {
    if (hasFocus.current && document.activeElement === document.body) frame.current?.querySelector('button')?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only remembers where the focus is
    <div
      ref={frame}
      style={{ display: 'contents' }}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
    >
      <Suspense fallback={target(() => setWanted(true))}>
        {menu(wanted)}
        <Loaded onLoad={refocus} />
      </Suspense>
    </div>
  );
}

function Loaded({ onLoad }: { onLoad: () => void }) {
  // Once, when the list has loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later render has a new function that does the same
  useLayoutEffect(onLoad, []);
  return null;
}
