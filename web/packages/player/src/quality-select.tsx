/** The choice of the picture height of a stream. */
import { useEffect, useState } from 'react';
import classes from './player.module.css';
import { heightsOf } from './qualities.ts';
import { playerTexts } from './texts.ts';

interface QualitySelectProps {
  /** URL of the stream; '' for none. */
  stream: string;
  /** The chosen height; 0 lets the player choose. */
  height: number;
  onChoose: (height: number) => void;
}

/** A native select, which every device can operate. Renders nothing where there is no choice. */
export function QualitySelect({ stream, height, onChoose }: QualitySelectProps) {
  const heights = useHeights(stream);
  if (heights.length === 0) return null;
  return (
    <select
      ref={keepKeys}
      className={classes.quality}
      aria-label={playerTexts.quality}
      value={height}
      onChange={(event) => onChoose(Number(event.target.value))}
    >
      <option value={0}>{playerTexts.automatic}</option>
      {heights.map((each) => (
        <option key={each} value={each}>
          {playerTexts.height(each)}
        </option>
      ))}
    </select>
  );
}

/** The keys that the select needs are not shortcuts of the player. */
function keepKeys(element: HTMLElement | null): void {
  element?.setAttribute('keysused', 'ArrowUp ArrowDown ArrowLeft ArrowRight Space Enter k m f c j l p');
}

/** A fixed height needs the library, which the oldest iPhones cannot run. */
function useHeights(stream: string): readonly number[] {
  const [heights, setHeights] = useState<readonly number[]>([]);
  useEffect(() => {
    if (stream === '' || !('MediaSource' in window || 'ManagedMediaSource' in window)) return;
    const stop = new AbortController();
    const load = async () => {
      const answer = await fetch(stream, { signal: stop.signal });
      if (answer.ok) setHeights(heightsOf(await answer.text()));
    };
    // The player works without it.
    load().catch(() => undefined);
    return () => stop.abort();
  }, [stream]);
  return heights;
}
