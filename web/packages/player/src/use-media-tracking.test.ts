import { beforeEach, describe, expect, it } from 'vitest';
import { BeatTracker } from './beat-tracker.ts';
import type { Beat } from './events.ts';
import { followMedia } from './use-media-tracking.ts';

/** A media element without a decoder, driven by the test. */
function setUp(begun: { paused?: boolean; readyState?: number } = {}) {
  const clock = { now: 1_000_000 };
  const beats: Beat[] = [];
  const state = {
    currentTime: 0,
    paused: true,
    seeking: false,
    ended: false,
    playbackRate: 1,
    duration: Number.NaN,
    error: null as object | null,
    readyState: 0,
    ...begun,
  };
  const media = document.createElement('video');
  for (const name of Object.keys(state) as (keyof typeof state)[]) {
    Object.defineProperty(media, name, { get: () => state[name] });
  }
  const tracker = new BeatTracker({
    contentId: 'c',
    now: () => clock.now,
    newId: () => 'id',
    sink: (beat) => beats.push(beat),
  });
  const stop = followMedia(media, tracker);
  const happens = (name: string, change: Partial<typeof state> = {}) => {
    Object.assign(state, change);
    media.dispatchEvent(new Event(name));
  };
  const sections = () => beats.map(({ from, to, state: said }) => [from, to, said]);
  return { beats, clock, happens, sections, stop };
}

describe('following a media element', () => {
  it('opens the view of an element that already plays', () => {
    expect(setUp({ paused: false, readyState: HTMLMediaElement.HAVE_ENOUGH_DATA }).sections()).toEqual([
      [0, 0, 'playing'],
    ]);
    expect(setUp({ paused: false }).sections()).toEqual([]);
  });

  beforeEach(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
  });

  it('learns the length when the element knows it', () => {
    const { beats, happens } = setUp();
    happens('durationchange', { duration: 12.5 });
    happens('playing', { paused: false });
    expect(beats[0]?.duration).toBe(12_500);
  });

  it('closes the view once when the end fires both pause and ended', () => {
    const { happens, sections } = setUp();
    happens('playing', { paused: false });
    happens('timeupdate', { currentTime: 3 });
    happens('pause', { currentTime: 4, paused: true, ended: true });
    happens('ended');
    expect(sections()).toEqual([
      [0, 0, 'playing'],
      [0, 4000, 'ended'],
    ]);
  });

  it('leaves out what a seek skipped, though the element reports it after the fact', () => {
    const { happens, sections } = setUp();
    happens('playing', { paused: false });
    happens('timeupdate', { currentTime: 3 });
    happens('seeking', { currentTime: 60, seeking: true });
    happens('timeupdate');
    happens('seeked', { seeking: false });
    happens('pause', { currentTime: 61, paused: true });
    expect(sections()).toEqual([
      [0, 0, 'playing'],
      [0, 3000, 'seeking'],
      [60_000, 61_000, 'paused'],
    ]);
  });

  it('keeps the watched section when the URL stops working', () => {
    const { happens, sections } = setUp();
    happens('playing', { paused: false });
    happens('timeupdate', { currentTime: 5 });
    happens('error', { currentTime: 0, error: {} });
    expect(sections().at(-1)).toEqual([0, 5000, 'paused']);
  });

  it('takes a last beat when the tab is hidden and on unmount', () => {
    const { happens, sections, stop } = setUp();
    happens('playing', { paused: false });
    happens('timeupdate', { currentTime: 2 });
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    happens('timeupdate', { currentTime: 6 });
    stop();
    happens('playing', { currentTime: 9 });
    expect(sections()).toEqual([
      [0, 0, 'playing'],
      [0, 2000, 'hidden'],
      [2000, 6000, 'paused'],
    ]);
  });
});
