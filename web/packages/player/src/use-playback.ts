/** The address being played, where playing goes on, and what happens when it fails. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PlayerProps } from './player-props.ts';

/**
 * Once by itself (the address may have run out while the machine slept) and then at each Retry the address is renewed
 * and playing goes on where it stopped.
 */
export function usePlayback(
  { src, startAt = 0, renew }: Pick<PlayerProps, 'src' | 'startAt' | 'renew'>,
  media: RefObject<HTMLMediaElement | null>,
) {
  const [source, setSource] = useState(src);
  const [failed, setFailed] = useState(false);
  const resume = useRef({ at: startAt / 1000, playing: false });
  const triedAlone = useRef(false);

  const reload = async () => {
    await renew?.(source).catch(() => undefined);
    setSource(src);
    media.current?.load();
  };
  const retry = () => {
    setFailed(false);
    resume.current.playing = true;
    void reload();
  };
  const onLoadedMetadata = () => {
    const element = media.current;
    if (element === null) return;
    setFailed(false);
    if (resume.current.at > 0) element.currentTime = resume.current.at;
    if (resume.current.playing) void element.play().catch(() => undefined);
  };
  const onTimeUpdate = () => {
    const element = media.current;
    if (element === null || element.error !== null || element.readyState === 0) return;
    resume.current = { at: element.currentTime, playing: !element.paused };
    if (!element.paused) triedAlone.current = false;
  };
  const onError = () => {
    if (renew === undefined || triedAlone.current) {
      setFailed(true);
      return;
    }
    triedAlone.current = true;
    void reload();
  };
  // React makes the element before it is on the page and drops what happens until then.
  const catchUp = useEffectEvent(() => {
    const element = media.current;
    if (element === null) return;
    if (element.error !== null) onError();
    else if (element.readyState >= HTMLMediaElement.HAVE_METADATA) onLoadedMetadata();
  });
  useEffect(() => catchUp(), []);
  return { source, failed, retry, onLoadedMetadata, onTimeUpdate, onError };
}
