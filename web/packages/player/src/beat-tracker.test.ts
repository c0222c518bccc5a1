import { describe, expect, it } from 'vitest';
import { BeatTracker } from './beat-tracker.ts';
import type { Beat } from './events.ts';

function setUp(playlistId?: string) {
  const clock = { now: Date.parse('2026-11-20T06:41:00.000Z') };
  const beats: Beat[] = [];
  const urgency: boolean[] = [];
  let made = 0;
  const tracker = new BeatTracker({
    contentId: 'content',
    ...(playlistId === undefined ? {} : { playlistId }),
    now: () => clock.now,
    newId: () => {
      made += 1;
      return `id-${made}`;
    },
    sink: (beat, urgent) => {
      beats.push(beat);
      urgency.push(urgent);
    },
  });
  /** Plays for the given time, reporting the position four times a second like a media element. */
  const watch = (fromMs: number, forMs: number, rate = 1) => {
    for (let t = 250; t <= forMs; t += 250) {
      clock.now += 250;
      tracker.progress(fromMs + t * rate);
    }
  };
  return { clock, beats, urgency, tracker, watch };
}

const sections = (beats: Beat[]) => beats.map(({ from, to, state }) => [from, to, state]);

describe('BeatTracker', () => {
  it('opens a view with an empty beat at play', () => {
    const { beats, tracker, urgency } = setUp('list');
    tracker.play(1234.4);
    expect(beats).toEqual([
      {
        kind: 'beat',
        id: 'id-2',
        viewId: 'id-1',
        seq: 0,
        contentId: 'content',
        playlistId: 'list',
        from: 1234,
        to: 1234,
        rate: 1,
        state: 'playing',
        time: '2026-11-20T06:41:00.000Z',
      },
    ]);
    expect(urgency).toEqual([true]);
  });

  it('leaves the playlist out when there is none', () => {
    const { beats, tracker } = setUp();
    tracker.play(0);
    expect(beats[0]).not.toHaveProperty('playlistId');
  });

  it('tells the length from when it is known, and nothing that is no length', () => {
    const { beats, tracker, watch } = setUp();
    tracker.learn({ duration: Number.NaN });
    tracker.play(0);
    tracker.learn({ duration: 61_000.4 });
    tracker.learn({ duration: Number.POSITIVE_INFINITY, pages: 0 });
    watch(0, 10_000);
    expect(beats[0]).not.toHaveProperty('duration');
    expect(beats[1]).toMatchObject({ duration: 61_000 });
    expect(beats[1]).not.toHaveProperty('pages');
  });

  it('beats every ten seconds of playing, each beat starting where the last one ended', () => {
    const { beats, tracker, watch } = setUp();
    tracker.play(0);
    watch(0, 31_000);
    expect(sections(beats)).toEqual([
      [0, 0, 'playing'],
      [0, 10_000, 'playing'],
      [10_000, 20_000, 'playing'],
      [20_000, 30_000, 'playing'],
    ]);
    expect(beats.map((beat) => beat.seq)).toEqual([0, 1, 2, 3]);
    expect(new Set(beats.map((beat) => beat.viewId)).size).toBe(1);
    expect(new Set(beats.map((beat) => beat.id)).size).toBe(4);
  });

  it('closes the section at a pause and opens an empty one on resume', () => {
    const { clock, beats, tracker, watch } = setUp();
    tracker.play(0);
    watch(0, 4000);
    tracker.pause(4000);
    clock.now += 60_000;
    tracker.play(4000);
    watch(4000, 10_000);
    expect(sections(beats)).toEqual([
      [0, 0, 'playing'],
      [0, 4000, 'paused'],
      [4000, 4000, 'playing'],
      [4000, 14_000, 'playing'],
    ]);
    expect(new Set(beats.map((beat) => beat.viewId)).size).toBe(1);
  });

  it('never counts what a seek skipped', () => {
    const { beats, tracker, watch } = setUp();
    tracker.play(0);
    watch(0, 3000);
    tracker.seeking();
    tracker.seeking();
    tracker.progress(90_000);
    tracker.seeked(90_000);
    watch(90_000, 7000);
    tracker.pause(97_000);
    expect(sections(beats)).toEqual([
      [0, 0, 'playing'],
      [0, 3000, 'seeking'],
      [90_000, 97_000, 'paused'],
    ]);
  });

  it('does not beat for seeks while paused', () => {
    const { beats, tracker } = setUp();
    tracker.seeking();
    tracker.seeked(5000);
    tracker.pause(5000);
    tracker.hidden(5000);
    expect(beats).toEqual([]);
  });

  it('counts what was watched before a rate change at the old rate', () => {
    const { beats, tracker, watch } = setUp();
    tracker.play(0);
    watch(0, 4000);
    tracker.rateChanged(4000, 2);
    watch(4000, 10_000, 2);
    expect(beats.map(({ from, to, rate }) => [from, to, rate])).toEqual([
      [0, 0, 1],
      [0, 4000, 1],
      [4000, 24_000, 2],
    ]);
  });

  it('starts a new view when played again after the end', () => {
    const { beats, tracker, watch } = setUp();
    tracker.play(0);
    watch(0, 5000);
    tracker.end(5000);
    tracker.play(0);
    expect(sections(beats)).toEqual([
      [0, 0, 'playing'],
      [0, 5000, 'ended'],
      [0, 0, 'playing'],
    ]);
    expect(beats[2]?.viewId).not.toBe(beats[0]?.viewId);
    expect(beats[2]?.seq).toBe(0);
  });

  it('beats once when the tab is hidden and the page unloads, and continues if the audio does', () => {
    const { beats, tracker, watch } = setUp();
    tracker.play(0);
    watch(0, 2000);
    tracker.hidden(2000);
    tracker.hidden(2004);
    watch(2000, 10_000);
    expect(sections(beats)).toEqual([
      [0, 0, 'playing'],
      [0, 2000, 'hidden'],
      [2000, 12_000, 'playing'],
    ]);
  });

  it('stops an image in a hidden tab and opens an empty section when it is visible again', () => {
    const { clock, beats, tracker } = setUp();
    tracker.play(0);
    clock.now += 5000;
    tracker.suspend(0);
    clock.now += 50_000;
    tracker.progress(0);
    tracker.play(0);
    expect(sections(beats)).toEqual([
      [0, 0, 'playing'],
      [0, 0, 'hidden'],
      [0, 0, 'playing'],
    ]);
  });

  it('sends no second beat when a paused player is closed', () => {
    const { beats, tracker, watch } = setUp();
    tracker.play(0);
    watch(0, 2000);
    tracker.pause(2000);
    tracker.pause(2000);
    expect(beats).toHaveLength(2);
  });

  it('keeps beating when the clock is set back', () => {
    const { clock, beats, tracker, watch } = setUp();
    tracker.play(0);
    clock.now -= 86_400_000;
    watch(0, 10_000);
    expect(beats.length).toBeGreaterThan(1);
  });

  it('reports each viewed page of a document, back and forth, in one view', () => {
    const { beats, tracker, urgency } = setUp();
    tracker.turn(9);
    tracker.play(3);
    tracker.turn(4);
    tracker.turn(2);
    tracker.suspend(2);
    tracker.turn(7);
    tracker.play(7);
    expect(sections(beats)).toEqual([
      [3, 3, 'playing'],
      [3, 3, 'playing'],
      [4, 4, 'playing'],
      [2, 2, 'hidden'],
      [7, 7, 'playing'],
    ]);
    expect(urgency).toEqual([true, false, false, true, true]);
    expect(new Set(beats.map(({ viewId }) => viewId)).size).toBe(1);
  });

  it('never reports a section that runs backwards or is not a number', () => {
    const { clock, beats, tracker } = setUp();
    tracker.play(8000);
    clock.now += 11_000;
    tracker.progress(2000);
    tracker.pause(Number.NaN);
    expect(sections(beats)).toEqual([
      [8000, 8000, 'playing'],
      [2000, 2000, 'playing'],
      [0, 0, 'paused'],
    ]);
  });
});
