/** Which address is played, and who plays it: the browser itself, or the library for streams. */

/** What an element is given to play. */
export interface Source {
  address: string;
  by: 'element' | 'library';
}

const STREAM_TYPE = 'application/vnd.apple.mpegurl';

/** The stream where there is one and it can be played, otherwise the file as it was uploaded. */
export function sourceOf(file: string, stream: string | undefined): Source {
  if (stream === undefined || stream === '') return { address: file, by: 'element' };
  if (document.createElement('video').canPlayType(STREAM_TYPE) !== '') return { address: stream, by: 'element' };
  if ('MediaSource' in window || 'ManagedMediaSource' in window) return { address: stream, by: 'library' };
  return { address: file, by: 'element' };
}
