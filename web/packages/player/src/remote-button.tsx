/** Plays on another screen, where the browser has the Remote Playback API. Safari has its own button for AirPlay. */
import { type RefObject, useEffect, useState } from 'react';
import classes from './player.module.css';
import { playerTexts } from './texts.ts';

/** Renders nothing until a device is in reach. */
export function RemoteButton({ media }: { media: RefObject<HTMLMediaElement | null> }) {
  const [available, setAvailable] = useState(false);
  useEffect(() => {
    const remote = remoteOf(media.current);
    if (remote === undefined) return;
    let watch: number | undefined;
    let over = false;
    remote.watchAvailability(setAvailable).then(
      (id) => {
        watch = id;
        if (over) stopWatching(remote, id);
      },
      // Some devices cannot watch; then there is no button.
      () => undefined,
    );
    return () => {
      over = true;
      if (watch !== undefined) stopWatching(remote, watch);
    };
  }, [media]);
  if (!available) return null;
  // The browser's own list of devices may be closed without a choice.
  const prompt = () =>
    void remoteOf(media.current)
      ?.prompt()
      .catch(() => undefined);
  return (
    <button
      type="button"
      className={classes.remote}
      aria-label={playerTexts.remote}
      title={playerTexts.remote}
      onClick={prompt}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d="M3 8V6a1 1 0 0 1 1-1h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-6M3 12a7 7 0 0 1 7 7M3 16a3 3 0 0 1 3 3" />
      </svg>
    </button>
  );
}

/** The browser ends the watch of an element that has been removed, and then refuses to end it again. */
function stopWatching(remote: RemotePlayback, id: number): void {
  remote.cancelWatchAvailability(id).catch(() => undefined);
}

/** Browsers without the API have no such property; Safari shows AirPlay instead. */
function remoteOf(media: HTMLMediaElement | null): RemotePlayback | undefined {
  if (media === null || !('remote' in media) || 'webkitShowPlaybackTargetPicker' in media) return undefined;
  return media.remote;
}
