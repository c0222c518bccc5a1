/** A change of role reaches the open screens without a reload. */

import { createMemoryHistory } from '@tanstack/react-router';
import { render, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { createQueryClient } from '~/shared/api/query-client.ts';
import { session } from '~/shared/api/session.ts';
import { refusal } from '~/shared/testing/identity.ts';
import { list, membership, ORG, server } from '~/shared/testing/server.ts';
import { Portal } from './portal.tsx';
import { Providers } from './providers.tsx';
import { createAppRouter } from './router.tsx';

test.each([403, 404])(
  'after a %i inside an organisation, the menu and the screen follow the new role',
  async (status) => {
    let role: 'superAdmin' | 'teamUser' = 'superAdmin';
    server.use(
      http.get('*/v1/profiles/roles/detailed', () => list([membership(role)])),
      http.get('*/v1/organizations/:id/users', () => {
        // The role was changed a moment ago.
        role = 'teamUser';
        return refusal(status, 'refused', 'You do not have permission to do this.');
      }),
    );
    session.save('token');
    const client = createQueryClient();
    const router = createAppRouter(client, createMemoryHistory({ initialEntries: [`/org/${ORG}/users`] }));
    render(
      <Providers client={client} env="test">
        <Portal router={router} />
      </Providers>,
    );
    expect(await screen.findByRole('heading', { name: /404|not found/i })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Users' })).toBeNull());
  },
);
