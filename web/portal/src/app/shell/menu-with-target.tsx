/** A menu whose button renders at once and whose list loads later, so that no screen waits for it. */
import { type ReactElement, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface MenuWithTargetProps {
  /** The button alone; a press is remembered until the list has loaded. */
  target: (onPress: () => void) => ReactElement;
  /** The lazily loaded button and list, which calls useOpened. */
  menu: (wanted: boolean) => ReactNode;
}

/** The button is replaced when the list has loaded, and keeps the focus and a press that was begun. */
export function MenuWithTarget({ target, menu }: MenuWithTargetProps) {
  const [wanted, setWanted] = useState(false);
  // The browser sends no click if the button is replaced during a press.
  const [pressed, setPressed] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const refocus = () => {
    if (hasFocus.current && document.activeElement === document.body) frame.current?.querySelector('button')?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only remembers where the focus is, and presses
    <div
      ref={frame}
      style={{ display: 'contents' }}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
        setPressed(false);
      }}
      onMouseDown={({ button, ctrlKey }) => setPressed(button === 0 && !ctrlKey)}
      onMouseLeave={() => setPressed(false)}
      onKeyDown={({ key }) => setPressed(key === ' ')}
    >
      <Suspense fallback={target(() => setWanted(true))}>
        {menu(wanted || pressed)}
        <Loaded onLoad={refocus} />
      </Suspense>
    </div>
  );
}

/**
 * Opens a menu once it is mounted, if its button was pressed before: a menu that is mounted open would not give the
 * focus back to the button.
 */
export function useOpened(wanted: boolean) {
  const [opened, setOpened] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: its own button opens it from then on
  useEffect(() => setOpened(wanted), []);
  return { opened, onChange: setOpened };
}

function Loaded({ onLoad }: { onLoad: () => void }) {
  // Once, when the list has loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later render has a new function that does the same
  useLayoutEffect(onLoad, []);
  return null;
}
