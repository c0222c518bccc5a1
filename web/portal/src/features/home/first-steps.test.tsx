/** The steps of the first hour, which Home shows while nothing has been watched. */
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { content } from '~/shared/testing/content.ts';
import { noDashboard } from '~/shared/testing/numbers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, organisation, playlist, server } from '~/shared/testing/server.ts';

const HOME = `/org/${ORG}/home`;
const region = async (name: string) => within(await screen.findByRole('region', { name }));

describe('the first steps', () => {
  const steps = () => region('First steps: 1 of 5 done');
  const stored = () => localStorage.getItem(`vitrine.firstSteps.${ORG}`);
  const team = (...userIds: string[]) =>
    http.get('*/v1/organizations/:id/users', () =>
      HttpResponse.json({ data: userIds.map((userId) => ({ userId })), total: userIds.length }),
    );

  beforeEach(() => {
    localStorage.clear();
    server.use(
      http.get(`*/v1/organizations/${ORG}/dashboard`, () => HttpResponse.json(noDashboard)),
      http.get('*/v1/playlists', () => list([playlist('basics', 'Safety basics')])),
      http.get('*/v1/content', () => list([])),
      team('ada'),
    );
  });

  test('have a button each until they are done', async () => {
    renderAt(HOME);
    const buttons = (await steps()).getAllByRole('link');
    expect(buttons.map((button) => [button.textContent, button.getAttribute('href')])).toEqual([
      ['Set up', `/org/${ORG}/profile`],
      ['Upload', `/org/${ORG}/playlists`],
      ['Get link', `/org/${ORG}/profile`],
      ['Invite', `/org/${ORG}/users`],
    ]);
    expect((await steps()).getByText('Create your first playlist')).toHaveTextContent('(done)');
    expect(screen.getByText('Nothing has been watched yet')).toBeVisible();
  });

  test('stay hidden in this browser once they were hidden', async () => {
    const { user, unmount } = renderAt(HOME);
    await user.click((await steps()).getByRole('button', { name: 'Hide' }));
    expect(await screen.findByRole('link', { name: 'Go to content' })).toBeVisible();
    expect(stored()).not.toBeNull();
    unmount();
    renderAt(HOME);
    expect(await screen.findByRole('link', { name: 'Go to content' })).toBeVisible();
    expect(await region('Last 28 days')).toBeDefined();
    expect(screen.queryByText(/First steps/)).toBeNull();
  });

  test('are hidden when all are done', async () => {
    server.use(
      http.get('*/v1/organizations', () =>
        list([{ ...organisation, logoUrl: 'https://vitrine.example/images/logo', publicJoinUrl: 'https://x/j' }]),
      ),
      http.get('*/v1/content', () => list([content('tour', 'Studio tour')])),
      team('ada', 'bea'),
    );
    renderAt(HOME);
    expect(await screen.findByRole('link', { name: 'Go to content' })).toBeVisible();
    expect(stored()).not.toBeNull();
  });

  test('are only those that the role allows', async () => {
    server.use(belongsTo(membership('teamLeader')));
    const { unmount } = renderAt(HOME);
    const some = await region('First steps: 1 of 2 done');
    expect(some.getAllByRole('listitem')).toHaveLength(2);
    unmount();
    server.use(belongsTo(membership('teamUser')));
    renderAt(HOME);
    expect(await screen.findByRole('link', { name: 'Go to content' })).toBeVisible();
    expect(stored()).toBeNull();
  });
});
