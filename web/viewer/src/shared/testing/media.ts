/** Media elements that play in jsdom: they change their state and fire events, without sound or picture. */
import { vi } from 'vitest';

const playing = new WeakSet<HTMLMediaElement>();

/** Call before the app opens; `vi.restoreAllMocks` and `vi.unstubAllGlobals` do not undo it. */
export function fakeMedia(): void {
  const noTracks = Object.assign(new EventTarget(), { length: 0, [Symbol.iterator]: () => [].values() });
  const given = (name: string, get: (this: HTMLMediaElement) => unknown) =>
    Object.defineProperty(HTMLMediaElement.prototype, name, { configurable: true, get });
  for (const name of ['textTracks', 'audioTracks', 'videoTracks']) given(name, () => noTracks);
  given('error', () => null);
  given('paused', function paused() {
    return !playing.has(this);
  });
  given('readyState', function readyState() {
    return playing.has(this) ? HTMLMediaElement.HAVE_ENOUGH_DATA : HTMLMediaElement.HAVE_NOTHING;
  });
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined);
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function play(this: HTMLMediaElement) {
    playing.add(this);
    for (const name of ['play', 'playing']) this.dispatchEvent(new Event(name));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function pause(this: HTMLMediaElement) {
    if (playing.delete(this)) this.dispatchEvent(new Event('pause'));
  });
  // jsdom lacks the style sheet support media-chrome needs.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
}
