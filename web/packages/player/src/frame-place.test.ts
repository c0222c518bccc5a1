import { expect, it } from 'vitest';
import { FramePlace } from './frame-place.ts';
import type { PlaybackPosition } from './player-props.ts';

function followed() {
  const places: PlaybackPosition[] = [];
  return { places, frame: new FramePlace((place) => places.push(place)) };
}

it('reports positions once the video plays, and one to save when it pauses', () => {
  const { places, frame } = followed();
  frame.handle({ positionMs: 0, durationMs: 600_000 });
  frame.handle({ state: 'playing', positionMs: 65_000.4 });
  frame.handle({ positionMs: 66_000 });
  frame.handle({ state: 'paused' });
  frame.settle();
  expect(places).toEqual([
    { position: 65_000, length: 600_000, settled: false },
    { position: 66_000, length: 600_000, settled: false },
    { position: 66_000, length: 600_000, settled: true },
  ]);
  expect(frame.position).toBe(66_000);
});

it('saves nothing for a frame that has not played, or does not tell how long the video is', () => {
  const { places, frame } = followed();
  frame.handle({ positionMs: 5_000, durationMs: 600_000 });
  frame.settle();
  frame.handle({ state: 'playing', positionMs: 0 });
  frame.settle();
  expect(places).toEqual([]);
  const unknown = followed();
  unknown.frame.handle({ state: 'playing', positionMs: 5_000 });
  unknown.frame.settle();
  expect(unknown.places).toEqual([]);
});

it('reports the end, also if the length is unknown', () => {
  const { places, frame } = followed();
  frame.handle({ state: 'playing', positionMs: 1_000 });
  frame.handle({ state: 'ended' });
  frame.handle({ durationMs: 600_000 });
  frame.handle({ state: 'ended', positionMs: 599_000 });
  expect(places).toEqual([
    { position: 1, length: 1, settled: true },
    { position: 600_000, length: 600_000, settled: true },
  ]);
});
