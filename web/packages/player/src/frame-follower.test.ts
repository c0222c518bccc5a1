import { describe, expect, it } from 'vitest';
import { BeatTracker } from './beat-tracker.ts';
import type { Beat } from './events.ts';
import { FrameFollower } from './frame-follower.ts';
import { readFrameMessage } from './frame-messages.ts';

function setUp() {
  const clock = { now: 1_000_000 };
  const beats: Beat[] = [];
  const now = () => clock.now;
  const tracker = new BeatTracker({ contentId: 'c', now, newId: () => 'id', sink: (beat) => beats.push(beat) });
  return { clock, beats, follower: new FrameFollower(tracker, now) };
}

describe('frames of video hosts', () => {
  it('parses messages of YouTube', () => {
    const text = JSON.stringify({ event: 'infoDelivery', info: { playerState: 1, currentTime: 2.5, playbackRate: 2 } });
    expect(readFrameMessage('youtube', text)).toEqual({ state: 'playing', positionMs: 2500, rate: 2 });
  });

  it('parses messages of Vimeo', () => {
    const text = JSON.stringify({ event: 'timeupdate', data: { seconds: 4, percent: 0.1, duration: 61 } });
    expect(readFrameMessage('vimeo', text)).toEqual({ positionMs: 4000, durationMs: 61_000 });
    expect(readFrameMessage('vimeo', { event: 'ended', data: { seconds: 9 } })).toEqual({
      state: 'ended',
      positionMs: 9000,
    });
  });

  it('ignores everything else', () => {
    for (const data of ['{', '7', null, { event: 'infoDelivery' }, { event: 'ready' }, { info: {} }]) {
      expect(readFrameMessage('youtube', data)).toBeNull();
      expect(readFrameMessage('vimeo', data)).toBeNull();
    }
  });

  it('counts playing and detects an unreported seek', () => {
    const { clock, beats, follower } = setUp();
    follower.handle({ state: 'playing', positionMs: 0 });
    clock.now += 1000;
    follower.handle({ positionMs: 1000 });
    clock.now += 1000;
    follower.handle({ positionMs: 60_000 });
    clock.now += 1000;
    follower.handle({ positionMs: 61_000 });
    follower.handle({ state: 'ended' });
    expect(beats.map(({ from, to, state }) => [from, to, state])).toEqual([
      [0, 0, 'playing'],
      [0, 1000, 'seeking'],
      [60_000, 61_000, 'ended'],
    ]);
  });
});
