/** The Users screen: roles and removal. */
import { screen, waitFor, within } from '@testing-library/react';
import type { UserOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { refusal } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, profile, server } from '~/shared/testing/server.ts';

const person = (userId: string, name: string, role: UserOut['role']): UserOut => ({
  userId,
  membershipId: `membership-${userId}`,
  role,
  user: { ...profile, uid: userId, displayName: name, firstName: '', lastName: '', email: `${userId}@example.com` },
  timeJoined: profile.timeCreated,
  blocked: false,
  consent: null,
  timeConsent: null,
});

const people = (...data: UserOut[]) =>
  http.get('*/v1/organizations/:id/users', () => HttpResponse.json({ data, total: data.length }));

async function openPerson(user: ReturnType<typeof renderAt>['user'], name: string) {
  await user.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name: 'User' }));
}

async function choose(user: ReturnType<typeof renderAt>['user'], dialog: ReturnType<typeof within>, role: string) {
  await user.click(dialog.getByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: role }));
}

test('a role is saved at once, and the old one comes back if that fails', async () => {
  const bea = person('bea', 'Bea', 'teamUser');
  let refuse = true;
  const given: unknown[] = [];
  server.use(
    http.get('*/v1/organizations/:id/users', () => HttpResponse.json({ data: [bea], total: 1 })),
    http.post('*/v1/organizations/:id/roles', async ({ request }) => {
      const body = (await request.json()) as { userId: string; role: UserOut['role'] };
      given.push(body);
      if (refuse) return refusal(409, 'last_super_admin', 'An organisation needs at least one super admin.');
      bea.role = body.role;
      return HttpResponse.json({ uid: 'membership-bea', userId: body.userId, role: body.role });
    }),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  const dialog = await openPerson(user, 'Bea');
  const role = dialog.getByRole('combobox', { name: 'Role' });
  await waitFor(() => expect(role).toBeEnabled());
  await choose(user, dialog, 'Manager');
  expect(await screen.findByText('An organisation needs at least one super admin.')).toBeVisible();
  await waitFor(() => expect(role).toHaveValue('Team user'));
  refuse = false;
  await choose(user, dialog, 'Manager');
  await waitFor(() => expect(role).toHaveValue('Manager'));
  expect(given).toEqual(Array(2).fill({ userId: 'bea', role: 'manager' }));
});

test('ending staff access and removing a person are confirmed first', async () => {
  const bea = person('bea', 'Bea', 'teamUser');
  const calls: string[] = [];
  server.use(
    people(bea),
    http.post('*/v1/organizations/:id/roles', () => {
      calls.push('demoted');
      return HttpResponse.json({ uid: 'membership-bea', userId: 'bea', role: 'user' });
    }),
    http.delete('*/v1/organizations/:id/roles/:uid', ({ params: { uid } }) => {
      calls.push(`removed ${String(uid)}`);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  const dialog = await openPerson(user, 'Bea');
  await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Role' })).toBeEnabled());
  await choose(user, dialog, 'USER');
  const asking = () => within(screen.getByRole('dialog', { name: 'Confirmation' }));
  await screen.findByRole('dialog', { name: 'Confirmation' });
  await user.click(asking().getByRole('button', { name: 'Cancel' }));
  expect(calls).toEqual([]);
  await choose(user, dialog, 'USER');
  await screen.findByRole('dialog', { name: 'Confirmation' });
  await user.click(asking().getByRole('button', { name: 'End staff access' }));
  await waitFor(() => expect(calls).toEqual(['demoted']));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirmation' })).toBeNull());
  await user.click(await dialog.findByRole('button', { name: 'Remove from organization' }));
  await screen.findByRole('dialog', { name: 'Confirmation' });
  await user.click(asking().getByRole('button', { name: 'Remove from organization' }));
  expect(await screen.findByText('User removed')).toBeVisible();
  expect(calls).toEqual(['demoted', 'removed membership-bea']);
});

test.each([
  ['the own one', person(profile.uid, 'Ada Byron', 'accountAdmin'), 'You cannot change your own role.'],
  ['a heavier one', person('root', 'Root', 'superAdmin'), 'This role is above yours, so you cannot change it.'],
])('a role that cannot be changed says why: %s', async (_, one, reason) => {
  server.use(belongsTo(membership('accountAdmin')), people(one));
  const { user } = renderAt(`/org/${ORG}/users`);
  const dialog = await openPerson(user, one.user.displayName);
  expect(await dialog.findByText(reason)).toBeVisible();
  expect(dialog.getByRole('combobox', { name: 'Role' })).toBeDisabled();
  expect(dialog.queryByRole('button', { name: 'Remove from organization' })).toBeNull();
});

test('a person who gave consent has their recent activity, others have none', async () => {
  const entries = Array.from({ length: 7 }, (_, index) => ({
    type: 'view',
    time: new Date(Date.now() - (index === 6 ? 150 : index) * 3_600_000).toISOString(),
    contentId: `c${index}`,
    playlistId: null,
    title: index === 1 ? null : `Film ${index}`,
    watchTimeMs: 90_000,
  }));
  server.use(
    people({ ...person('bea', 'Bea', 'user'), consent: true }, { ...person('carl', 'Carl', 'user'), consent: false }),
    http.get('*/v1/organizations/:orgId/users/:userId/history', ({ params: { userId } }) =>
      userId === 'bea' ? list(entries) : new HttpResponse(null, { status: 500 }),
    ),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  const dialog = await openPerson(user, 'Bea');
  const rows = within(await dialog.findByRole('list', { name: 'Recent activity' }));
  expect(rows.getAllByRole('listitem')).toHaveLength(5);
  expect(rows.getByText('Watched Film 0 (1:30)')).toBeVisible();
  expect(rows.getByText('Watched deleted content (1:30)')).toBeVisible();
  expect(rows.getByText('4 hours ago').title).toMatch(/ 20\d\d$/);
  await user.click(dialog.getByRole('button', { name: 'Show all 7' }));
  expect(rows.getAllByRole('listitem')).toHaveLength(7);
  expect(rows.getByText('150 hours ago')).toBeVisible();
  await user.keyboard('{Escape}');
  const other = await openPerson(user, 'Carl');
  expect(other.queryByText('Recent activity')).toBeNull();
});

test('a person who left has to be invited to get a role', async () => {
  server.use(people({ ...person('bea', 'Bea', 'user'), membershipId: null, timeJoined: null, consent: false }));
  const { user } = renderAt(`/org/${ORG}/users`);
  expect(await screen.findByText('No consent · No longer a member')).toBeVisible();
  const dialog = await openPerson(user, 'Bea');
  expect(await dialog.findByText('Invite this person to give them a role.')).toBeVisible();
  expect(dialog.getByRole('combobox', { name: 'Role' })).toBeDisabled();
});

test('a person who was removed is marked, cannot be removed again, and can be given a role', async () => {
  server.use(
    people({ ...person('bea', 'Bea', 'user'), membershipId: null, timeJoined: null, consent: true }),
    http.post('*/v1/organizations/:id/roles', () =>
      HttpResponse.json({ uid: 'membership-bea', userId: 'bea', role: 'teamUser' }),
    ),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  expect(await screen.findByText('Consent given · No longer a member')).toBeVisible();
  const dialog = await openPerson(user, 'Bea');
  expect(dialog.getByText('Consent given · No longer a member')).toBeVisible();
  await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Role' })).toBeEnabled());
  expect(dialog.queryByRole('button', { name: 'Remove from organization' })).toBeNull();
  await choose(user, dialog, 'Team user');
  expect(await dialog.findByRole('button', { name: 'Remove from organization' })).toBeVisible();
  expect(dialog.queryByText(/No longer a member/)).toBeNull();
});

test('a double click removes a person once', async () => {
  const calls: string[] = [];
  server.use(
    people(person('bea', 'Bea', 'user')),
    http.delete('*/v1/organizations/:id/roles/:uid', async () => {
      calls.push('removed');
      await new Promise((done) => setTimeout(done, 50));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  const card = await openPerson(user, 'Bea');
  await user.click(await card.findByRole('button', { name: 'Remove from organization' }));
  const asking = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
  await user.dblClick(asking.getByRole('button', { name: 'Remove from organization' }));
  expect(await screen.findByText('User removed')).toBeVisible();
  expect(calls).toEqual(['removed']);
});

test('shows when a person was last active, if that is known', async () => {
  const bea = person('bea', 'Bea', 'user');
  const lastSeenAt = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const cid = { ...person('cid', 'Cid', 'user'), consent: true, timeConsent: profile.timeCreated, lastSeenAt };
  server.use(
    people(bea, cid),
    http.get('*/v1/organizations/:org/users/:id/history', () => list([])),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  expect((await openPerson(user, 'Cid')).getByText('Last seen')).toHaveTextContent('Last seen 3 hours ago');
  await user.keyboard('{Escape}');
  expect(screen.getAllByText('Last seen')).toHaveLength(1);
  expect((await openPerson(user, 'Bea')).queryByText('Last seen')).toBeNull();
});
