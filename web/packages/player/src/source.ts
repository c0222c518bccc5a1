/** Chooses the URL to play, and whether the browser or the HLS library plays it. */

/** The source of a media element. */
export interface Source {
  address: string;
  by: 'element' | 'library';
  /** The fixed height of the picture, for the library; absent or 0 if it chooses. */
  height?: number;
}

const STREAM_TYPE = 'application/vnd.apple.mpegurl';

/** Returns the stream if there is one and it can be played, otherwise the original file. */
export function sourceOf(file: string, stream: string | undefined): Source {
  if (stream === undefined || stream === '') return { address: file, by: 'element' };
  if (document.createElement('video').canPlayType(STREAM_TYPE) !== '') return { address: stream, by: 'element' };
  if ('MediaSource' in window || 'ManagedMediaSource' in window) return { address: stream, by: 'library' };
  return { address: file, by: 'element' };
}
