import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { RemoteButton } from './remote-button.tsx';

afterEach(cleanup);

function playerWith(remote: Partial<RemotePlayback>) {
  const media = document.createElement('video');
  Object.defineProperty(media, 'remote', { value: remote });
  return { current: media };
}

it('appears while a device is in reach, and asks the browser for one', async () => {
  const prompt = vi.fn(() => Promise.reject(new Error('closed')));
  let tell: RemotePlaybackAvailabilityCallback = () => undefined;
  const watchAvailability = (callback: RemotePlaybackAvailabilityCallback) => {
    tell = callback;
    return Promise.resolve(1);
  };
  const cancelWatchAvailability = () => Promise.resolve();
  render(<RemoteButton media={playerWith({ watchAvailability, cancelWatchAvailability, prompt })} />);
  expect(screen.queryByRole('button')).toBeNull();
  await act(async () => tell(true));
  fireEvent.click(screen.getByRole('button', { name: 'Play on another screen' }));
  expect(prompt).toHaveBeenCalledOnce();
});

it('does not mind that the browser has already ended the watch', async () => {
  const cancelWatchAvailability = vi.fn(() => Promise.reject(new DOMException('not found')));
  const remote = { watchAvailability: () => Promise.resolve(7), cancelWatchAvailability };
  const { unmount } = render(<RemoteButton media={playerWith(remote)} />);
  await act(async () => undefined);
  unmount();
  // The runner fails on an unhandled rejection.
  await new Promise((done) => setTimeout(done, 10));
  expect(cancelWatchAvailability).toHaveBeenCalledWith(7);
});
