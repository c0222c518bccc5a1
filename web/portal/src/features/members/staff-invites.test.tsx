/** Invitations to the staff on the Users screen. */
import { screen, waitFor, within } from '@testing-library/react';
import type { OpenInviteOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, organisation, profile, server } from '~/shared/testing/server.ts';

const invite = (uid: string, fields: Partial<OpenInviteOut> = {}): OpenInviteOut => ({
  uid,
  userEmail: `${uid}@example.com`,
  role: 'teamUser',
  status: 'pending',
  timeSent: new Date(Date.now() - 3_600_000).toISOString(),
  timeExpires: new Date(Date.now() + 6 * 86_400_000).toISOString(),
  invitedBy: profile,
  ...fields,
});

const noPeople = http.get('*/v1/organizations/:id/users', () => HttpResponse.json({ data: [], total: 0 }));

/** The open invitations to the staff. */
const toStaff = (open: () => OpenInviteOut[]) =>
  http.get('*/v1/organizations/:id/invites', ({ request }) => list(request.url.endsWith('true') ? [] : open()));

test('an invitation goes to the heaviest role unless another is chosen, and only to valid addresses', async () => {
  const sent: unknown[] = [];
  server.use(
    noPeople,
    http.post('*/v1/organizations/:id/invites', async ({ request }) => {
      const body = (await request.json()) as { userEmails: string[] };
      sent.push(body);
      return list(body.userEmails.map((userEmail) => ({ userEmail, uid: 'invite', problem: null })));
    }),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Invite admin' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite admin' }));
  expect(dialog.getByText(/^Be careful/)).toBeVisible();
  await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Role' })).toHaveValue('Super admin'));
  await user.type(dialog.getByLabelText('Email'), 'bea');
  await user.click(dialog.getByRole('button', { name: 'Send invite' }));
  expect(dialog.getByText('Invalid email!')).toBeVisible();
  expect(sent).toEqual([]);
  await user.type(dialog.getByLabelText('Email'), '@example.com{Enter}');
  expect(await screen.findByText('Invite sent successfully!')).toBeVisible();
  expect(sent).toEqual([{ userEmails: ['bea@example.com'], role: 'superAdmin' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Invite admin' })).toHaveFocus();
});

test('of several addresses, those that were refused stay with their reasons', async () => {
  server.use(
    noPeople,
    http.post('*/v1/organizations/:id/invites', () =>
      list([
        { userEmail: 'a@example.com', uid: 'invite', problem: null },
        { userEmail: 'b@example.com', uid: null, problem: { status: 402, code: 'no_seat', message: 'No seat.' } },
      ]),
    ),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Invite admin' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite admin' }));
  await user.type(dialog.getByLabelText('Email'), 'a@example.com, b@example.com');
  await user.click(dialog.getByRole('button', { name: 'Send invite' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('1 of 2 invitations sent. These were not sent:');
  expect(dialog.getByText('No seat.').closest('li')).toHaveTextContent('b@example.com');
  expect(dialog.getByLabelText('Email')).toHaveValue('b@example.com');
});

test('pending invitations are sent again and revoked, but not those above the own role', async () => {
  let open = [invite('bea'), invite('carl', { status: 'expired' }), invite('root', { role: 'superAdmin' })];
  const calls: string[] = [];
  server.use(
    noPeople,
    http.get('*/v1/organizations', () => list([{ ...organisation, assignableRoles: ['teamUser'] }])),
    toStaff(() => open),
    http.post('*/v1/organizations/:id/invites/:uid/resend', ({ params: { uid } }) => {
      calls.push(`resend ${String(uid)}`);
      return HttpResponse.json({ uid: 'new' });
    }),
    http.delete('*/v1/organizations/:id/invites/:uid', ({ params: { uid } }) => {
      calls.push(`revoke ${String(uid)}`);
      open = open.filter((one) => one.uid !== uid);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  const heading = await screen.findByRole('heading', { name: 'Staff invitations' });
  expect(screen.getByText('Expired')).not.toBeVisible();
  await user.click(heading);
  const rows = within(await screen.findByRole('list', { name: 'Staff invitations' }));
  expect(rows.getByText('Expired')).toBeVisible();
  await user.click(await rows.findByRole('button', { name: 'Resend the invitation to carl@example.com' }));
  expect(await screen.findByText('Invite sent successfully!')).toBeVisible();
  expect(rows.queryByRole('button', { name: /root@example\.com/ })).toBeNull();
  await user.click(rows.getByRole('button', { name: 'Revoke the invitation to bea@example.com' }));
  const asking = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
  await user.click(asking.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(rows.queryByText('bea@example.com')).toBeNull());
  expect(calls).toEqual(['resend carl', 'revoke bea']);
});

test('a double click sends one request', async () => {
  const calls: string[] = [];
  const answer = (what: string) => async () => {
    calls.push(what);
    await new Promise((done) => setTimeout(done, 50));
    return new HttpResponse(null, { status: 204 });
  };
  server.use(
    noPeople,
    toStaff(() => [invite('dan')]),
    http.post('*/v1/organizations/:id/invites', async () => {
      await answer('invited')();
      return list([{ userEmail: 'eve@example.com', uid: 'eve', problem: null }]);
    }),
    http.post('*/v1/organizations/:id/invites/:uid/resend', answer('resent')),
    http.delete('*/v1/organizations/:id/invites/:uid', answer('revoked')),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Invite admin' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite admin' }));
  await user.type(dialog.getByLabelText('Email'), 'eve@example.com');
  await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Role' })).toBeEnabled());
  await user.dblClick(dialog.getByRole('button', { name: 'Send invite' }));
  await screen.findByText('Invite sent successfully!');
  await user.dblClick(await screen.findByRole('button', { name: 'Resend the invitation to dan@example.com' }));
  await waitFor(() => expect(calls).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Revoke the invitation to dan@example.com' }));
  const asking = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
  await user.dblClick(asking.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toEqual(['invited', 'resent', 'revoked']);
});
