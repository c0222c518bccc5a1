import { cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { KeyboardHelp, useHelpKey } from './keyboard-help.tsx';

// jsdom cannot open dialogs.
beforeAll(() => {
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
});
afterEach(cleanup);

it('lists the keys of what is played', () => {
  const onClose = vi.fn();
  const { rerender } = render(<KeyboardHelp kind="video" captions onClose={onClose} />);
  expect(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined();
  expect(screen.getByText('Play or pause').previousElementSibling?.textContent).toBe('SpaceK');
  expect(screen.getByText('Captions on or off')).toBeDefined();
  expect(screen.getByText('Full screen')).toBeDefined();
  rerender(<KeyboardHelp kind="audio" captions={false} onClose={onClose} />);
  expect(screen.queryByText('Captions on or off')).toBeNull();
  expect(screen.queryByText('Full screen')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('opens by the question mark, not by a shortcut of the browser', () => {
  const onOpen = vi.fn();
  const frame = { current: document.body.appendChild(document.createElement('div')) };
  const { unmount } = renderHook(() => useHelpKey(frame, onOpen));
  fireEvent.keyDown(frame.current, { key: 'k' });
  fireEvent.keyDown(frame.current, { key: '?', ctrlKey: true });
  expect(onOpen).not.toHaveBeenCalled();
  fireEvent.keyDown(frame.current, { key: '?', shiftKey: true });
  expect(onOpen).toHaveBeenCalledOnce();
  unmount();
  fireEvent.keyDown(frame.current, { key: '?' });
  expect(onOpen).toHaveBeenCalledOnce();
});
