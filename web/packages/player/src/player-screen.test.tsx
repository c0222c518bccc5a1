/** What the screen around a player gets from it: positions, jumps and the lock screen. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Player } from './player.tsx';
import type { PlaybackPosition, PlayerControls } from './player-props.ts';

// jsdom supports neither media errors nor tracks; media-chrome reads them even after a test.
const noTracks = Object.assign(new EventTarget(), { length: 0, [Symbol.iterator]: () => [].values() });
Object.defineProperty(HTMLMediaElement.prototype, 'error', { value: null });
for (const name of ['textTracks', 'audioTracks', 'videoTracks']) {
  Object.defineProperty(HTMLMediaElement.prototype, name, { value: noTracks });
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined);
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(() => Promise.resolve());
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined);
  // jsdom lacks the style sheet support media-chrome needs.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Waits for the lazily loaded media surface. */
async function loaded() {
  await act(async () => {
    await import('./media-surface.tsx');
    await vi.advanceTimersByTimeAsync(500);
  });
}

describe('around the player', () => {
  it('reports the position, resumes, and lets the screen jump', async () => {
    const places: PlaybackPosition[] = [];
    const controls = { current: null as PlayerControls | null };
    const { container, unmount } = render(
      <Player kind="video" src="/s" title="Film" controls={controls} onPlace={(place) => places.push(place)} />,
    );
    await loaded();
    const video = container.querySelector('video');
    if (video === null) throw new Error('no video');
    Object.defineProperties(video, {
      readyState: { value: 4 },
      duration: { value: 600 },
      played: { value: { length: 1 } },
    });
    controls.current?.playFrom(65_000);
    expect(video.currentTime).toBe(65);
    expect(controls.current?.position()).toBe(65_000);
    fireEvent.timeUpdate(video);
    fireEvent.pause(video);
    // Another device may have moved on before this one leaves.
    unmount();
    expect(places).toEqual([
      { position: 65_000, length: 600_000, settled: false },
      { position: 65_000, length: 600_000, settled: true },
    ]);
  });

  it('starts where the screen jumped before anything was known of the video', async () => {
    const controls = { current: null as PlayerControls | null };
    const { container } = render(<Player kind="video" src="/s" title="Film" startAt={120_000} controls={controls} />);
    await loaded();
    const video = container.querySelector('video') as HTMLVideoElement;
    controls.current?.playFrom(30_000);
    fireEvent.loadedMetadata(video);
    expect(video.currentTime).toBe(30);
  });

  it('jumps ten seconds on a double tap at the side, not on a single one or in the middle', async () => {
    const { container } = render(<Player kind="video" src="/s" title="Film" />);
    await loaded();
    const video = container.querySelector('video');
    const frame = container.firstElementChild;
    if (video === null || frame === null) throw new Error('no video');
    frame.getBoundingClientRect = () => new DOMRect(0, 0, 300, 200);
    video.currentTime = 60;
    const tap = (x: number, timeStamp: number) => {
      const event = new MouseEvent('pointerup', { clientX: x, bubbles: true });
      Object.defineProperties(event, { pointerType: { value: 'touch' }, timeStamp: { value: timeStamp } });
      act(() => void frame.dispatchEvent(event));
    };
    for (const [x, at] of [
      [290, 0],
      [290, 1000],
      [150, 2000],
      [150, 2100],
    ] as const)
      tap(x, at);
    expect(video.currentTime).toBe(60);
    tap(290, 3000);
    tap(290, 3200);
    expect(video.currentTime).toBe(70);
    expect(screen.getByText('+10 s')).toBeTruthy();
    tap(10, 4000);
    tap(10, 4100);
    expect(video.currentTime).toBe(60);
  });

  it('shows on the lock screen while mounted', async () => {
    const handlers = new Map<string, unknown>();
    const mediaSession = {
      metadata: null as unknown,
      setActionHandler: (name: string, act: unknown) =>
        act === null ? handlers.delete(name) : handlers.set(name, act),
    };
    Object.defineProperty(navigator, 'mediaSession', { value: mediaSession, configurable: true });
    vi.stubGlobal(
      'MediaMetadata',
      class {
        constructor(given: object) {
          Object.assign(this, given);
        }
      },
    );
    const onNext = vi.fn();
    const { unmount } = render(
      <Player kind="audio" src="/s" title="Talk" session={{ artist: 'Northwind', onNext, onPrevious: undefined }} />,
    );
    await loaded();
    expect(mediaSession.metadata).toMatchObject({ title: 'Talk', artist: 'Northwind' });
    expect([...handlers.keys()].sort()).toEqual([
      'nexttrack',
      'pause',
      'play',
      'seekbackward',
      'seekforward',
      'seekto',
    ]);
    unmount();
    expect([mediaSession.metadata, handlers.size]).toEqual([null, 0]);
    Reflect.deleteProperty(navigator, 'mediaSession');
  });
});
