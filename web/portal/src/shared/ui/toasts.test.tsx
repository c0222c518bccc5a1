/** Toasts: four seconds, closable, stacked, and announced by role. */
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Providers } from '~/app/providers.tsx';
import { createQueryClient } from '../api/query-client.ts';
import { TOAST_MS, toastFailure, toastSuccess, toastWarning } from './toasts.ts';

beforeEach(async () => {
  vi.useFakeTimers();
  render(
    <Providers client={createQueryClient()} env="test">
      <main />
    </Providers>,
  );
  // The toast container is loaded lazily.
  await act(() => vi.dynamicImportSettled());
});
afterEach(() => vi.useRealTimers());

const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a toast is visible after three and a half seconds, and gone after four', async () => {
  expect(TOAST_MS).toBe(4000);
  act(() => toastSuccess('Saved it'));
  await after(3500);
  expect(screen.getByText('Saved it')).toBeInTheDocument();
  // At four seconds it starts a transition of a quarter second.
  await after(800);
  expect(screen.queryByText('Saved it')).toBeNull();
});

test('a toast can be closed earlier', async () => {
  act(() => toastFailure('Broke it'));
  await after(0);
  const toast = screen.getByRole('alert');
  fireEvent.click(within(toast).getByRole('button', { name: 'Close' }));
  await after(300);
  expect(screen.queryByText('Broke it')).toBeNull();
});

test('toasts stack; failures are assertive, others polite', async () => {
  act(() => {
    toastSuccess('One');
    toastWarning('Two');
    toastFailure('Three');
  });
  await after(0);
  expect(screen.getAllByRole('status').map((toast) => toast.textContent)).toEqual(['One', 'Two']);
  expect(screen.getAllByRole('alert').map((toast) => toast.textContent)).toEqual(['Three']);
});
