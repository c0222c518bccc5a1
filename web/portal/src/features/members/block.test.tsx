/** Keeping people from rejoining. */
import { screen, waitFor, within } from '@testing-library/react';
import type { UserOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { ORG, profile, server } from '~/shared/testing/server.ts';

const bea: UserOut = {
  userId: 'bea',
  membershipId: 'membership-bea',
  role: 'user',
  user: { ...profile, uid: 'bea', displayName: 'Bea', firstName: '', lastName: '' },
  timeJoined: profile.timeCreated,
  blocked: false,
  consent: null,
  timeConsent: null,
};
const cy: UserOut = {
  ...bea,
  userId: 'cy',
  membershipId: null,
  blocked: true,
  user: { ...bea.user, uid: 'cy', displayName: 'Cy' },
};

const dan: UserOut = {
  ...cy,
  userId: 'dan',
  blocked: false,
  consent: true,
  user: { ...bea.user, uid: 'dan', displayName: 'Dan' },
};

test('a removed person can be kept from rejoining, and let in again', async () => {
  const calls: string[] = [];
  const call = ({ request }: { request: Request }) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`);
    return new HttpResponse(null, { status: 204 });
  };
  server.use(
    http.get('*/v1/organizations/:id/users', () => HttpResponse.json({ data: [bea, cy, dan], total: 3 })),
    http.put('*/v1/organizations/:id/users/:userId/block', call),
    http.delete('*/v1/organizations/:id/users/:userId/block', call),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Bea' }));
  let dialog = within(await screen.findByRole('dialog', { name: 'User' }));
  await user.click(await dialog.findByRole('button', { name: 'Remove from organization' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Keep this person from rejoining' }));
  const confirm = within(screen.getByRole('dialog', { name: 'Confirmation' }));
  await user.click(confirm.getByRole('button', { name: 'Remove from organization' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('Blocked')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cy' }));
  dialog = within(await screen.findByRole('dialog', { name: 'User' }));
  await user.click(dialog.getByRole('button', { name: 'Allow rejoining' }));
  expect(await screen.findByText('The person can join again')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Dan' }));
  dialog = within(await screen.findByRole('dialog', { name: 'User' }));
  await user.click(dialog.getByRole('button', { name: 'Keep this person from rejoining' }));
  expect(await screen.findByText('The person cannot join again')).toBeVisible();
  const block = (id: string) => `/v1/organizations/${ORG}/users/${id}/block`;
  expect(calls).toEqual([`PUT ${block('bea')}`, `DELETE ${block('cy')}`, `PUT ${block('dan')}`]);
});
