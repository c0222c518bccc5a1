/** Consents that outlast access, on the settings screen. */
import { screen, waitFor, within } from '@testing-library/react';
import type { JoinedOrganisationOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, organisation, problem, server } from '~/shared/testing/server.ts';

const former: JoinedOrganisationOut = {
  uid: '019a0000-0000-7000-8000-000000000003',
  name: 'Southwind',
  description: '',
  logoUrl: '',
  theme: organisation.theme,
  pinnedPlaylists: [],
  defaultPlaylist: null,
  access: false,
  suspended: false,
  member: false,
  role: null,
  consent: true,
};

test('a consent can be withdrawn where the person is no longer a member', async () => {
  const open: JoinedOrganisationOut = {
    ...former,
    uid: ORG,
    name: 'Northwind',
    access: true,
    member: true,
    role: 'user',
  };
  const withdrawn: unknown[] = [];
  server.use(
    http.get('*/v1/viewer/organizations', () => list([open, former])),
    http.patch('*/v1/organizations/:id/users/me/consent', async ({ params, request }) => {
      withdrawn.push([params.id, await request.json()]);
      return withdrawn.length < 2 ? problem(403, 'Not now') : HttpResponse.json({});
    }),
  );
  const { user } = renderAt('/settings');
  const name = 'Other organizations';
  const kept = await screen.findByRole('list', { name });
  expect(within(kept).getAllByRole('listitem')).toHaveLength(1);
  const button = screen.getByRole('button', { name: 'Withdraw consent: Southwind' });
  await user.click(button);
  expect(await screen.findByText('Not now')).toBeVisible();
  await user.click(button);
  expect(await screen.findByText('Consent withdrawn')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('heading', { name })).toBeNull());
  expect(withdrawn).toEqual(Array.from({ length: 2 }, () => [former.uid, { consent: false }]));
});

test('an organisation whose plan has ended can be left', async () => {
  const left: unknown[] = [];
  server.use(
    http.get('*/v1/viewer/organizations', () => list([{ ...former, member: true }])),
    http.delete('*/v1/organizations/:id/users/me', ({ params }) => {
      left.push(params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = renderAt('/settings');
  await user.click(await screen.findByRole('button', { name: 'Leave Southwind' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/^The plan of Southwind has ended/)).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('You left the organization.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Other organizations' })).toBeNull());
  expect(left).toEqual([former.uid]);
});
