/** The place of the player on its page. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { leavePlayer, type Played, showPlayer, updatePlayer } from './kept-player.ts';
import classes from './player-place.module.css';

interface PlayerPlaceProps {
  played: Played;
  /** Starts over even if the same item is playing. */
  fresh: boolean;
}

/** Mount with a `key` per item. */
export function PlayerPlace({ played, fresh }: PlayerPlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once; the effect below passes changes on.
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    showPlayer(element, played, fresh);
    return () => leavePlayer(element);
  }, []);
  useEffect(() => {
    if (place.current !== null) updatePlayer(place.current, played);
  });
  const { kind, waveform, poster } = played.props;
  return (
    <div
      ref={place}
      className={classes.place}
      data-kind={kind}
      data-wave={waveform ? '' : undefined}
      data-cover={poster ? '' : undefined}
    />
  );
}
