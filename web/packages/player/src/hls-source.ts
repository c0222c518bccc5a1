/// <reference path="./assets.d.ts" />
/** HLS playback for browsers without native support. Loaded only for them. */

// A bundled worker file: the CSP does not allow workers created from a blob.
import workerPath from 'hls.js/dist/hls.worker.js?url';
import Hls from 'hls.js/light';

/**
 * Starts playback; returns a function that stops it. `onFatal` is called when recovery fails. `height` fixes the
 * picture's height; with 0 the library chooses.
 */
export function playStream(media: HTMLMediaElement, address: string, onFatal: () => void, height: number): () => void {
  const hls = new Hls({ workerPath, backBufferLength: 60, maxBufferLength: 30 });
  let recovered = false;
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    if (height > 0) hls.currentLevel = hls.levels.findIndex((level) => level.height === height);
  });
  hls.on(Hls.Events.ERROR, (_event, { fatal, type }) => {
    if (!fatal) return;
    // Try to recover from a media error once; a second attempt would not help.
    if (type === Hls.ErrorTypes.MEDIA_ERROR && !recovered) {
      recovered = true;
      hls.recoverMediaError();
    } else {
      hls.destroy();
      onFatal();
    }
  });
  hls.loadSource(address);
  hls.attachMedia(media);
  return () => hls.destroy();
}
