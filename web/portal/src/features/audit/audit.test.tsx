/** The audit log. */
import { screen, within } from '@testing-library/react';
import type { AuditAction, AuditEntryOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, server } from '~/shared/testing/server.ts';
import { changesOf, reasonOf, systemOf, titleOf } from './model.ts';

const entry = (uid: string, fields: Partial<AuditEntryOut>): AuditEntryOut => ({
  uid,
  time: '2026-11-01T10:00:00.000Z',
  actor: { userId: 'ada', displayName: 'Ada' },
  action: 'person.roleChanged',
  target: { type: 'person', id: 'bea', name: 'Bea', exists: true },
  before: { role: 'user' },
  after: { role: 'teamLeader' },
  titles: {},
  ...fields,
});

test('changed fields are named and nested ones are shown one by one', () => {
  const before = {
    theme: { primaryColor: '#000000', secondaryColor: '#fb761c' },
    logoUrl: '',
    pinnedPlaylists: ['a', 'b'],
    defaultPlaylist: null,
  };
  const after = {
    theme: { primaryColor: '#ffffff', secondaryColor: '#fb761c' },
    logoUrl: '/x',
    pinnedPlaylists: ['b'],
    defaultPlaylist: 'b',
  };
  expect(changesOf({ before, after, titles: { b: 'Briefings' } })).toEqual([
    { field: 'Background', before: '#000000', after: '#ffffff' },
    { field: 'Logo', before: null, after: 'new image' },
    { field: 'Pinned playlists', before: 'deleted playlist, Briefings', after: 'Briefings' },
    { field: 'Default playlist', before: null, after: 'Briefings' },
  ]);
  expect(changesOf({ before: null, after: null, titles: {} })).toEqual([]);
});

test('the log of an account says why a plan is in its state', async () => {
  const plan = (uid: string, after: Record<string, unknown>) =>
    entry(uid, {
      actor: null,
      action: 'account.planStateChanged',
      target: { type: 'account', id: 'account', name: 'Northwind', exists: true },
      before: { state: 'active' },
      after,
    });
  server.use(
    http.get('*/v1/accounts/account/audit', () =>
      list([
        plan('3', { state: 'ended', reason: 'canceled', unpaidSince: null, cause: 'event' }),
        plan('2', { state: 'suspended', reason: 'unpaid', unpaidSince: '2026-10-12T10:00:00Z', cause: 'clock' }),
        entry('1', {
          actor: null,
          action: 'account.planChanged',
          before: { plan: 'Essentials Monthly' },
          after: { plan: 'Professional Monthly' },
        }),
      ]),
    ),
  );
  renderAt('/billing/account/audit');
  await screen.findByRole('region', { name: /1 November 2026/ });
  const rows = within(screen.getByRole('main')).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent(
    /^Plan endedNorthwindPayment provider · 10:00:00The subscription was canceled at the payment provider\.$/,
  );
  expect(rows[1]).toHaveTextContent(
    /^Plan suspendedNorthwindVitrine · 10:00:00The invoice of 12 Oct 2026 was not paid in time\.$/,
  );
  expect(rows[2]).toHaveTextContent(
    /^Plan changed.*Payment provider · .*Plan: Essentials Monthly → Professional Monthly$/,
  );
  // One of a later version.
  const unknown = plan('4', { state: 'paused', reason: 'holiday', cause: 'magic' });
  expect([titleOf(unknown), reasonOf(unknown), systemOf(unknown)]).toEqual([
    'State of the plan changed',
    null,
    'Vitrine',
  ]);
});

test('the log shows who changed what, and is filtered by action and person', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/v1/organizations/:id/audit', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${searchParams.get('action') ?? ''} ${searchParams.get('userId') ?? ''}`);
      if (searchParams.get('userId') !== null) return list([]);
      return list([
        entry('1', {}),
        entry('2', {
          time: '2026-10-31T10:00:00.000Z',
          actor: null,
          action: 'organization.standingChanged',
          target: { type: 'organization', id: ORG, name: 'Northwind', exists: true },
          before: { state: 'active' },
          after: { state: 'pastDue' },
        }),
      ]);
    }),
  );
  const { user } = renderAt(`/org/${ORG}/audit`);
  const day = within(await screen.findByRole('region', { name: /^Sunday,? 1 November 2026$/ }));
  expect(day.getAllByRole('listitem')).toHaveLength(1);
  const rows = within(screen.getByRole('main')).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent('Role changedBeaAda · 10:00:00');
  expect(rows[0]).toHaveTextContent('Role: USER → Team leader');
  expect(rows[1]).toHaveTextContent('Vitrine');
  expect(rows[1]).toHaveTextContent('Standing: Active → Past due');
  await user.click(screen.getByRole('combobox', { name: 'Change' }));
  await user.click(await screen.findByRole('option', { name: 'Role changed' }));
  await user.click(await screen.findByRole('button', { name: 'Show only changes by Ada' }));
  expect(await screen.findByText('No changes')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Only changes by Ada' }));
  expect(await screen.findByRole('region', { name: /^Saturday,? 31 October 2026$/ })).toBeVisible();
  expect(asked.slice(0, 3)).toEqual([' ', 'person.roleChanged ', 'person.roleChanged ada']);
});

test('what was changed is a link to its page, and says if it is no longer there', async () => {
  const changed = (uid: string, target: AuditEntryOut['target'], action: AuditAction = 'person.roleChanged') =>
    entry(uid, { target, action, before: null, after: null });
  server.use(
    http.get('*/v1/organizations/:id/audit', () =>
      list([
        changed('5', { type: 'playlist', id: 'one', name: 'Briefings', exists: true }),
        changed('4', { type: 'content', id: 'two', name: 'Outlook', exists: true }),
        changed('3', { type: 'playlist', id: 'old', name: 'Autumn', exists: false }),
        changed('2', { type: 'person', id: 'bea', name: 'Bea', exists: false }),
        changed('1', { type: 'person', id: 'eve', name: '', exists: false }),
        changed('0', { type: 'playlist', id: 'old', name: 'Autumn', exists: false }, 'playlist.deleted'),
      ]),
    ),
  );
  renderAt(`/org/${ORG}/audit`);
  const log = within(await screen.findByRole('region', { name: /1 November 2026/ }));
  const addresses = log.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(addresses).toEqual([
    ['Briefings', `/org/${ORG}/playlists/one`],
    ['Outlook', `/org/${ORG}/analytics/content/two`],
  ]);
  const names = log.getAllByRole('listitem').map((row) => row.textContent?.replace(/^Role changed|Ada · .*$/g, ''));
  expect(names.slice(2)).toEqual([
    'Autumn (deleted)',
    'Bea (no longer a member)',
    'Deleted person',
    'Playlist deletedAutumn',
  ]);
});
