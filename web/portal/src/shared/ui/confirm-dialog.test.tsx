import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Providers } from '~/app/providers.tsx';
import { createQueryClient } from '../api/query-client.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** With transitions, unlike other tests. */
const dialog = (opened: boolean) => (
  <Providers client={createQueryClient()}>
    <ConfirmDialog opened={opened} action="Replace" onConfirm={vi.fn()} onClose={vi.fn()}>
      Replace it?
    </ConfirmDialog>
  </Providers>
);

test('a dialog that fades out takes no more clicks', async () => {
  const { rerender } = render(dialog(true));
  expect(await screen.findByRole('dialog')).not.toHaveStyle({ pointerEvents: 'none' });
  rerender(dialog(false));
  expect(screen.getByRole('dialog', { hidden: true })).toHaveStyle({ pointerEvents: 'none' });
});
