/** Reading the values of a chart: by pointing at it, or with the arrow keys. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at, last) => at - Math.max(1, Math.round(last / 10)),
  PageUp: (at, last) => at + Math.max(1, Math.round(last / 10)),
  Home: () => 0,
  End: (_at, last) => last,
};

interface Reading {
  /** The value being read, or null. */
  at: number | null;
  /** The value that the arrow keys continue from. */
  current: number;
  /** Props of the element that is pointed at and focused: a slider for assistive technology. */
  props: {
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerLeave: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: () => void;
    onBlur: () => void;
  };
}

/** Reads one of `total` values; `indexAt` maps a position from 0 to 1 to a value. */
export function useReading(total: number, indexAt: (position: number) => number): Reading {
  const last = total - 1;
  const [chosen, choose] = useState(last);
  const [shown, show] = useState(false);
  // Fewer values may have arrived since.
  const at = Math.min(Math.max(chosen, 0), Math.max(last, 0));
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width === 0) return;
    choose(Math.min(Math.max(indexAt((event.clientX - left) / width), 0), last));
    show(true);
  };
  return {
    at: shown && total > 0 ? at : null,
    current: at,
    props: {
      onPointerMove: point,
      onPointerDown: point,
      onPointerLeave: () => show(false),
      onKeyDown: (event) => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        choose(Math.min(Math.max(step(at, last), 0), last));
        show(true);
      },
      onFocus: () => show(true),
      onBlur: () => show(false),
    },
  };
}
