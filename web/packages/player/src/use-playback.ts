/** Playback state: the current URL, the resume position, and recovery from failures. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PlayerProps } from './player-props.ts';
import { type Source, sourceOf } from './source.ts';

/** Number of automatic retries after a lost connection, and the wait before each. */
const TRIES = 5;
const TRY_AFTER_MS = 2000;

/**
 * On failure, renews the URL once automatically, because it may have expired while the device was asleep, and then on
 * each Retry; playback resumes where it stopped. A stream that cannot be played falls back to the file. What failed
 * without a connection resumes once there is one; a browser may say so before the network answers, so that several
 * tries can be necessary.
 */
export function usePlayback(
  { src, stream, startAt = 0, renew }: Pick<PlayerProps, 'src' | 'stream' | 'startAt' | 'renew'>,
  media: RefObject<HTMLMediaElement | null>,
) {
  const [source, setSource] = useState(() => sourceOf(src, stream));
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(false);
  const resume = useRef({ at: startAt / 1000, playing: false });
  const triedAlone = useRef(false);
  /** Tries left since the connection was lost; 0 if it was not. */
  const tries = useRef(0);

  /** A place that is chosen before anything is known of the media is where it starts. */
  const playFrom = (seconds: number) => {
    const element = media.current;
    if (element === null) return;
    resume.current = { at: seconds, playing: true };
    element.currentTime = seconds;
    void element.play().catch(() => undefined);
  };
  const reload = async (next: Source) => {
    await renew?.(source.address).catch(() => undefined);
    setSource(next);
    setAttempt((before) => before + 1);
    if (next.by === 'element') media.current?.load();
  };
  const again = () => {
    setFailed(false);
    void reload(sourceOf(src, stream));
  };
  const retry = () => {
    resume.current.playing = true;
    again();
  };
  /** The library can keep to one height; the browser's own playback cannot. */
  const choose = (height: number) => {
    if (stream === undefined || stream === '') return;
    resume.current.playing = media.current?.paused === false;
    setSource({ address: stream, by: 'library', height });
    setAttempt((before) => before + 1);
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
    if (element.paused) return;
    triedAlone.current = false;
    tries.current = 0;
  };
  /** A place that was chosen counts at once: if it cannot be loaded, no time is reported before the error. */
  const onSeeking = () => {
    const element = media.current;
    if (element !== null && element.error === null && element.readyState > 0) resume.current.at = element.currentTime;
  };
  const onError = () => {
    const streaming = source.address !== src;
    if (!navigator.onLine) tries.current = TRIES;
    if (tries.current > 0) {
      setFailed(true);
    } else if (renew !== undefined && !triedAlone.current) {
      triedAlone.current = true;
      void reload(sourceOf(src, stream));
    } else if (streaming) {
      setSource({ address: src, by: 'element' });
    } else {
      setFailed(true);
    }
  };
  const reconnect = useEffectEvent(again);
  const tryAgain = useEffectEvent(() => {
    if (tries.current === 0 || !navigator.onLine) return;
    tries.current -= 1;
    again();
  });
  useEffect(() => {
    if (!failed) return;
    const connected = () => reconnect();
    window.addEventListener('online', connected);
    const timer = window.setInterval(() => tryAgain(), TRY_AFTER_MS);
    return () => {
      window.removeEventListener('online', connected);
      window.clearInterval(timer);
    };
  }, [failed]);
  // React creates the element before attaching it, and events until then are lost.
  const catchUp = useEffectEvent(() => {
    const element = media.current;
    if (element === null) return;
    if (element.error !== null) onError();
    else if (element.readyState >= HTMLMediaElement.HAVE_METADATA) onLoadedMetadata();
  });
  useEffect(() => catchUp(), []);
  useStream(media, source, attempt, onError);
  return {
    address: source.address,
    /** The chosen height; 0 if the player chooses. */
    height: source.height ?? 0,
    choose,
    /** The element's `src` attribute; absent if the library feeds the element. */
    src: source.by === 'element' ? source.address : undefined,
    failed,
    retry,
    playFrom,
    onLoadedMetadata,
    onTimeUpdate,
    onSeeking,
    // While the library plays, it handles the element's errors.
    onError: source.by === 'element' ? onError : undefined,
  };
}

/** Plays with the library if the browser cannot; each attempt restarts. */
function useStream(
  media: RefObject<HTMLMediaElement | null>,
  { address, by, height = 0 }: Source,
  attempt: number,
  onFatal: () => void,
): void {
  const failed = useEffectEvent(onFatal);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt restarts with the same URL.
  useEffect(() => {
    const element = media.current;
    if (element === null || by !== 'library') return;
    let stop = () => {};
    let over = false;
    import('./hls-source.ts').then(
      ({ playStream }) => {
        if (!over) stop = playStream(element, address, () => failed(), height);
      },
      () => {
        if (!over) failed();
      },
    );
    return () => {
      over = true;
      stop();
    };
  }, [media, address, by, height, attempt]);
}
