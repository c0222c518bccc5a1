/// <reference path="./assets.d.ts" />
/** Plays a stream in several sizes where the browser cannot by itself. Loaded only then. */

// A file of ours: the policy of the pages allows no worker made from a blob.
import workerPath from 'hls.js/dist/hls.worker.js?url';
import Hls from 'hls.js/light';

/** Answers the function that stops it; `onFatal` is called once nothing more can be done. */
export function playStream(media: HTMLMediaElement, address: string, onFatal: () => void): () => void {
  const hls = new Hls({ workerPath, backBufferLength: 60, maxBufferLength: 30 });
  let recovered = false;
  hls.on(Hls.Events.ERROR, (_event, { fatal, type }) => {
    if (!fatal) return;
    // A decoder that lost its way finds it again once; a second time it will not.
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
