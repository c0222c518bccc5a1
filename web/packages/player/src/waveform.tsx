/** The waveform of an audio file, with the played part highlighted; clicking seeks. */
import { type MouseEvent, type RefObject, useEffect, useState } from 'react';
import { barsOf, loadPeaks } from './peaks.ts';
import classes from './player.module.css';

const BARS = 120;
const HEIGHT = 40;

interface WaveformProps {
  /** URL of the peaks, from 0 to 100. */
  src: string;
  media: RefObject<HTMLMediaElement | null>;
}

/** Keeps its place until loaded. Hidden from screen readers, since the timeline has the same information. */
export function Waveform({ src, media }: WaveformProps) {
  const peaks = usePeaks(src);
  const played = usePlayed(media);
  if (peaks.length === 0) return <div className={classes.waveform} />;
  const bars = barsOf(peaks, BARS);
  const seek = (event: MouseEvent<SVGSVGElement>) => {
    const element = media.current;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (element === null || width === 0 || !Number.isFinite(element.duration)) return;
    element.currentTime = ((event.clientX - left) / width) * element.duration;
  };
  return (
    <svg
      className={classes.waveform}
      viewBox={`0 0 ${BARS * 3} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
      onClick={seek}
    >
      {bars.map((peak, index) => {
        const height = Math.max(2, (peak / 100) * HEIGHT);
        return (
          <rect
            key={index.toString()}
            x={index * 3}
            y={(HEIGHT - height) / 2}
            width={2}
            height={height}
            data-played={index / BARS < played || undefined}
          />
        );
      })}
    </svg>
  );
}

function usePeaks(src: string): readonly number[] {
  const [peaks, setPeaks] = useState<readonly number[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    // The player works without it.
    loadPeaks(src, stop.signal).then(setPeaks, () => undefined);
    return () => stop.abort();
  }, [src]);
  return peaks;
}

/** Returns the played fraction, 0 to 1. */
function usePlayed(media: RefObject<HTMLMediaElement | null>): number {
  const [played, setPlayed] = useState(0);
  useEffect(() => {
    const element = media.current;
    if (element === null) return;
    const follow = () => setPlayed(element.duration > 0 ? element.currentTime / element.duration : 0);
    const stop = new AbortController();
    for (const name of ['timeupdate', 'seeking', 'loadedmetadata']) {
      element.addEventListener(name, follow, { signal: stop.signal });
    }
    return () => stop.abort();
  }, [media]);
  return played;
}
