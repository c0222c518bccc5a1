import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { joined, server } from '~/shared/testing/server.ts';

it('has the brand as it is now when the window is used again, without losing the screen', async () => {
  signIn();
  openApp('/org/north/me');
  const consent = await screen.findByRole('switch', { name: 'Share what I watch' });
  const renamed = joined({ name: 'Northern Lights' });
  server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [renamed] })));
  await waitFor(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    expect(screen.getAllByText('Northern Lights')).not.toHaveLength(0);
  });
  expect(consent).toBeInTheDocument();
});
