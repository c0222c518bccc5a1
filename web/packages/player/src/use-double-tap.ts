/** Double tap on the left or right third of a video: ten seconds back or forward. */
import { type RefObject, useEffect, useState } from 'react';
import { JUMP_S, jump } from './use-media-session.ts';

const TAPS_MS = 300;
const SHOWN_MS = 600;

/** Returns the last jump while it is shown: -1 back, 1 forward, 0 none. */
export function useDoubleTap(
  frame: RefObject<HTMLElement | null>,
  media: RefObject<HTMLMediaElement | null>,
): -1 | 0 | 1 {
  const [shown, setShown] = useState<-1 | 0 | 1>(0);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let last = { at: Number.NEGATIVE_INFINITY, side: 0 };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tap = (event: PointerEvent) => {
      if (event.pointerType !== 'touch' || isControl(event)) return;
      const side = sideOf(event.clientX, element.getBoundingClientRect());
      const again = side !== 0 && side === last.side && event.timeStamp - last.at < TAPS_MS;
      last = { at: event.timeStamp, side };
      if (!again || media.current === null) return;
      jump(media.current, side * JUMP_S);
      setShown(side);
      clearTimeout(timer);
      timer = setTimeout(() => setShown(0), SHOWN_MS);
    };
    element.addEventListener('pointerup', tap);
    return () => {
      element.removeEventListener('pointerup', tap);
      clearTimeout(timer);
    };
  }, [frame, media]);
  return shown;
}

function isControl({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest('[data-controls], media-play-button, button') !== null;
}

/** Returns the third of the frame: -1 left, 0 middle, 1 right. */
export function sideOf(x: number, { left, width }: Pick<DOMRect, 'left' | 'width'>): -1 | 0 | 1 {
  const share = (x - left) / width;
  if (share < 1 / 3) return -1;
  return share > 2 / 3 ? 1 : 0;
}
