import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BeatTracker } from './beat-tracker.ts';
import type { Beat } from './events.ts';
import { Player } from './player.tsx';

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

function tracked() {
  const beats: Beat[] = [];
  const tracker = new BeatTracker({
    contentId: 'c',
    now: Date.now,
    newId: () => 'id',
    sink: (beat) => beats.push(beat),
  });
  return { beats, tracker };
}

/** Waits for the lazily loaded media surface. */
async function loaded() {
  await act(async () => {
    await import('./media-surface.tsx');
    await vi.advanceTimersByTimeAsync(500);
  });
}

describe('Player', () => {
  it('contacts no video host before the click, and frames only its privacy-friendly host', () => {
    const { container } = render(
      <Player kind="embed" src="https://youtu.be/dQw4w9WgXcQ" title="Keynote" poster="/poster.jpg" />,
    );
    expect(container.querySelector('iframe')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /Play Keynote/ }));
    const frame = screen.getByTitle('Keynote');
    expect(frame.getAttribute('src')).toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\//);
    expect(frame.getAttribute('referrerpolicy')).toBe('strict-origin-when-cross-origin');
  });

  it('shows any other address as a plain link, and none that is not a web address', () => {
    const { rerender } = render(<Player kind="embed" src="https://example.com/vimeo" title="Elsewhere" />);
    expect(screen.getByRole('link', { name: 'Open link' }).getAttribute('href')).toBe('https://example.com/vimeo');
    rerender(<Player kind="embed" src="javascript:alert(1)" title="Elsewhere" />);
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.getByText('This link is not valid.')).toBeTruthy();
  });

  it('offers a file with its name and size, and reports the download', () => {
    const onDownload = vi.fn();
    render(
      <Player
        kind="file"
        src="/media/g/source"
        title="Figures"
        file={{ name: 'figures.xlsx', size: 1536 }}
        onDownload={onDownload}
      />,
    );
    expect(screen.getByText('figures.xlsx')).toBeTruthy();
    expect(screen.getByText('File · 1.5 KB')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Download' });
    expect(link.getAttribute('download')).toBe('figures.xlsx');
    link.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(link);
    expect(onDownload).toHaveBeenCalledOnce();
  });

  it('counts an image from when it is visible until it unmounts', async () => {
    const { beats, tracker } = tracked();
    const { unmount } = render(<Player kind="image" src="/p.png" title="Chart" tracker={tracker} />);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(beats).toEqual([]);
    fireEvent.load(screen.getByRole('img', { name: 'Chart' }));
    await vi.advanceTimersByTimeAsync(12_000);
    unmount();
    expect(beats.map((beat) => beat.state)).toEqual(['playing', 'playing', 'paused']);
  });

  it('enlarges an image and fits it again', () => {
    render(<Player kind="image" src="/p.png" title="Chart" />);
    expect(screen.queryByRole('button', { name: 'Zoom in' })).toBeNull();
    fireEvent.load(screen.getByRole('img', { name: 'Chart' }));
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    expect(screen.getByRole('group', { name: 'Enlarged image' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Fit to screen' }));
    expect(screen.queryByRole('group')).toBeNull();
  });

  it('retries an image with a renewed URL', async () => {
    const renew = vi.fn(() => Promise.resolve({ expiresIn: 3600 }));
    render(<Player kind="image" src="/p.png" title="Chart" renew={renew} />);
    fireEvent.error(screen.getByRole('img'));
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(renew).toHaveBeenCalledWith('/p.png');
    expect(screen.getByRole('img')).toBeTruthy();
  });

  it('renews the address at half life, and a minute after a failure', async () => {
    const renew = vi.fn(() => Promise.resolve({ expiresIn: 3600 }));
    renew.mockRejectedValueOnce(new Error('no network'));
    render(<Player kind="file" src="/media/g/source" title="Figures" renew={renew} />);
    await vi.advanceTimersByTimeAsync(30 * 60_000 - 1);
    expect(renew).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(renew).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(renew).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(renew).toHaveBeenCalledTimes(3);
  });

  it('renews once automatically when a video fails, then offers Retry', async () => {
    const renew = vi.fn(() => Promise.resolve({ expiresIn: 3600 }));
    const { container } = render(<Player kind="video" src="/media/g/source" title="Film" renew={renew} />);
    await loaded();
    const video = container.querySelector('video');
    if (video === null) throw new Error('no video');
    await act(async () => {
      fireEvent.error(video);
      await vi.advanceTimersByTimeAsync(0);
    });
    expect(renew).toHaveBeenCalledTimes(1);
    expect(video.load).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.error(video);
    expect(screen.getByRole('alert').textContent).toContain('This could not be played.');
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
      await vi.advanceTimersByTimeAsync(0);
    });
    expect(renew).toHaveBeenCalledTimes(2);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('keeps playing the URL it started with, starts at the given position, and shows captions if there are any', async () => {
    const props = { kind: 'video', title: 'Film', startAt: 5000 } as const;
    const captions = [{ src: '/c.vtt', language: 'en-GB', label: 'English' }];
    const { container, rerender } = render(<Player {...props} src="/media/a/source" captions={captions} />);
    await loaded();
    const video = container.querySelector('video');
    if (video === null) throw new Error('no video');
    fireEvent.loadedMetadata(video);
    expect(video.currentTime).toBe(5);
    rerender(<Player {...props} src="/media/b/source" captions={captions} />);
    expect(video.getAttribute('src')).toBe('/media/a/source');
    expect(container.querySelector('track')?.getAttribute('srclang')).toBe('en-GB');
    expect(container.querySelector('media-captions-button')).not.toBeNull();
  });

  it('plays the stream, and falls back to the file if the stream fails twice', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockImplementation(() => 'maybe');
    const renew = vi.fn(() => Promise.resolve({ expiresIn: 3600 }));
    const { container } = render(
      <Player kind="video" src="/media/g/source" stream="/media/g/master.m3u8" title="Film" renew={renew} />,
    );
    await loaded();
    const video = container.querySelector('video');
    if (video === null) throw new Error('no video');
    expect(video.getAttribute('src')).toBe('/media/g/master.m3u8');
    await act(async () => {
      fireEvent.error(video);
      await vi.advanceTimersByTimeAsync(0);
    });
    expect(renew).toHaveBeenCalledExactlyOnceWith('/media/g/master.m3u8');
    expect(video.getAttribute('src')).toBe('/media/g/master.m3u8');
    fireEvent.error(video);
    expect(video.getAttribute('src')).toBe('/media/g/source');
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.error(video);
    expect(screen.getByRole('alert').textContent).toContain('This could not be played.');
  });

  it('resumes when the connection is back', async () => {
    const renew = vi.fn(() => Promise.resolve({ expiresIn: 3600 }));
    const { container } = render(<Player kind="video" src="/media/g/source" title="Film" renew={renew} />);
    await loaded();
    const video = container.querySelector('video');
    if (video === null) throw new Error('no video');
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    fireEvent.error(video);
    expect(screen.getByRole('alert').textContent).toContain('This could not be played.');
    expect(renew).not.toHaveBeenCalled();
    online.mockReturnValue(true);
    await act(async () => {
      window.dispatchEvent(new Event('online'));
      await vi.advanceTimersByTimeAsync(0);
    });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(renew).toHaveBeenCalledOnce();
    expect(video.load).toHaveBeenCalledOnce();
  });

  it('tries again if the connection came back unnoticed, or does not work yet, but not forever', async () => {
    const { container } = render(<Player kind="video" src="/media/g/source" title="Film" />);
    await loaded();
    const video = container.querySelector('video') as HTMLVideoElement;
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    fireEvent.error(video);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(video.load).not.toHaveBeenCalled();
    online.mockReturnValue(true);
    for (const time of [1, 2, 3, 4, 5]) {
      await act(() => vi.advanceTimersByTimeAsync(2000));
      expect(video.load).toHaveBeenCalledTimes(time);
      expect(screen.queryByRole('alert')).toBeNull();
      fireEvent.error(video);
      expect(screen.getByRole('alert')).toBeTruthy();
    }
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(video.load).toHaveBeenCalledTimes(5);
    expect(screen.getByRole('alert')).toBeTruthy();
  });

  it('keeps trying until it plays: what is known of a video is not yet playback', async () => {
    const { container } = render(<Player kind="video" src="/media/g/source" title="Film" />);
    await loaded();
    const video = container.querySelector('video') as HTMLVideoElement;
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    fireEvent.error(video);
    online.mockReturnValue(true);
    await act(() => vi.advanceTimersByTimeAsync(2000));
    fireEvent.loadedMetadata(video);
    fireEvent.error(video);
    expect(screen.getByRole('alert')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(video.load).toHaveBeenCalledTimes(2);
  });

  it('resumes at the place that was chosen last, even if it was never reached', async () => {
    const { container } = render(<Player kind="video" src="/media/g/source" title="Film" />);
    await loaded();
    const video = container.querySelector('video') as HTMLVideoElement;
    Object.defineProperty(video, 'readyState', { value: HTMLMediaElement.HAVE_METADATA });
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    video.currentTime = 250;
    fireEvent.seeking(video);
    fireEvent.error(video);
    video.currentTime = 0;
    fireEvent.loadedMetadata(video);
    expect(video.currentTime).toBe(250);
  });

  it('leaves the keyboard at the player when the button that started it goes', async () => {
    const { container } = render(<Player kind="video" src="/media/g/source" title="Film" />);
    await loaded();
    const start = container.querySelector<HTMLElement>('media-play-button[slot]');
    start?.focus();
    expect(document.activeElement).toBe(start);
    fireEvent.playing(container.querySelector('video') as HTMLVideoElement);
    expect(start?.isConnected).toBe(false);
    expect(document.activeElement?.localName).toBe('media-controller');
  });

  it('shows the storyboard on the time line, and a choice where there are several languages', async () => {
    const captions = [
      { src: '/en.vtt', language: 'en', label: 'English' },
      { src: '/de.vtt', language: 'de', label: 'Deutsch' },
    ];
    const { container } = render(
      <Player kind="video" src="/s" title="Film" captions={captions} storyboard="/storyboard.vtt" />,
    );
    await loaded();
    const board = container.querySelector('track[kind="metadata"]');
    expect([board?.getAttribute('label'), board?.getAttribute('src')]).toEqual(['thumbnails', '/storyboard.vtt']);
    expect(container.querySelectorAll('track[kind="captions"]')).toHaveLength(2);
    expect(container.querySelector('media-captions-menu-button')).not.toBeNull();
  });
});
