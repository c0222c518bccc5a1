/** The notice of a busy server. */

import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { server } from '~/shared/testing/server.ts';
import { Notices } from './notices.tsx';

test('a busy server shows a notice in the shell, and the screen then loads automatically', async () => {
  let asked = 0;
  server.use(
    http.get('*/v1/profiles/roles/detailed', () => {
      asked += 1;
      if (asked > 1) return HttpResponse.json({ data: [] });
      const refused = { status: 429, code: 'too_many_requests', message: 'Too many requests. Please wait a moment.' };
      return HttpResponse.json(refused, { status: 429, headers: { 'Retry-After': '3' } });
    }),
  );
  renderPart(<Notices />);
  const { path } = renderAt('/settings');
  expect(await screen.findByText(/^The server is busy\. Continuing shortly\./)).toHaveTextContent(/\([1-3] s\)/);
  await waitFor(() => expect(path()).toBe('/no-plan'));
  await act(async () => undefined);
  expect(screen.queryByText(/^The server is busy/)).toBeNull();
});
