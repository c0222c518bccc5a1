/** The cover of audio without an image: its waveform, once the card comes into view. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Wave } from './item-cover.ts';
import { barsOf, loadPeaks } from './peaks.ts';
import classes from './wave-cover.module.css';

const BARS = 40;
const HEIGHT = 60;

/** Shows its children until the peaks are there, and if there are none. */
export function WaveCover({ wave, children }: { wave: Wave; children: ReactNode }) {
  const frame = useRef<HTMLSpanElement>(null);
  const near = useNear(frame);
  const { data: peaks = [] } = useQuery({
    queryKey: ['peaks', wave.uid],
    queryFn: ({ signal }) => loadPeaks(wave.url, signal),
    enabled: near,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <span ref={frame} className={classes.frame}>
      {peaks.length === 0 ? children : <Bars peaks={peaks} />}
    </span>
  );
}

function Bars({ peaks }: { peaks: readonly number[] }) {
  return (
    <svg className={classes.wave} viewBox={`0 0 ${BARS * 4} ${HEIGHT}`} aria-hidden="true" focusable="false">
      {barsOf(peaks, BARS).map((peak, index) => {
        const height = Math.max(3, (peak / 100) * HEIGHT);
        return (
          <rect key={index.toString()} x={index * 4} y={(HEIGHT - height) / 2} width={2.5} height={height} rx={1.25} />
        );
      })}
    </svg>
  );
}

/** Returns whether the element has come near the window. */
function useNear(frame: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (frame.current === null || near) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame, near]);
  return near;
}
