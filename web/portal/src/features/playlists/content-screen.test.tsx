/** The content screen: title, actions, cards, pages and adding. */
import { screen, waitFor, within } from '@testing-library/react';
import type { PlaylistOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, playlist, problem, profile, server } from '~/shared/testing/server.ts';

const SCREEN = `/org/${ORG}/playlists`;

/** An organisation with these playlists; records queries, newest last. */
function holding(...playlists: PlaylistOut[]) {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/v1/playlists', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return list(playlists);
    }),
    http.get('*/v1/playlists/:id', ({ params }) => Response.json(playlists.find(({ uid }) => uid === params.id))),
    http.get('*/v1/playlists/:id/content', () => list([])),
  );
  return asked;
}

const choose = async (user: ReturnType<typeof renderAt>['user'], item: string) => {
  await user.click(await screen.findByRole('button', { name: 'Add' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
};

test('is titled Your Content if the person has no name', async () => {
  holding();
  server.use(http.get('*/v1/profiles', () => Response.json({ ...profile, displayName: '' })));
  renderAt(SCREEN);
  expect(await screen.findByRole('heading', { level: 1, name: 'Your Content' })).toBeVisible();
});

test('has a menu of three things to add', async () => {
  holding();
  server.use(belongsTo(membership('teamLeader')));
  const { user } = renderAt(SCREEN);
  await user.click(await screen.findByRole('button', { name: 'Add' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Add file', 'Add video', 'Add playlist']);
});

test('a card shows privacy, content and watch time, and opens its playlist', async () => {
  holding(
    playlist('a', 'Open', { stats: { contentCount: 1, watchTimeMs: 89_999 } }),
    playlist('b', 'By link', { privacy: 'unlisted', stats: { contentCount: 12, watchTimeMs: 90_000 } }),
    playlist('c', 'Closed', { privacy: 'private', previewUrl: 'http://127.0.0.1:8080/images/c' }),
  );
  const { user, path } = renderAt(SCREEN);
  const grid = await screen.findByRole('region', { name: 'All playlists' });
  const cards = within(grid).getAllByRole('article');
  expect(cards).toHaveLength(3);
  const words = [
    ['Open', 'Public', '1 item · 1 min watched'],
    ['By link', 'Unlisted', '12 items · 2 min watched'],
    ['Closed', 'Private', '0 items · 0 min watched'],
  ] as const;
  for (const [index, [title, privacy, figures]] of words.entries()) {
    const card = within(cards[index] as HTMLElement);
    expect(card.getByRole('link', { name: title })).toBeVisible();
    expect(card.getByText(privacy)).toBeVisible();
    expect(card.getByText(figures)).toBeVisible();
  }
  expect(cards[2]?.querySelector('img')).toHaveAttribute('src', 'http://127.0.0.1:8080/images/c');
  await user.click(screen.getByRole('link', { name: 'By link' }));
  await waitFor(() => expect(path()).toBe(`${SCREEN}/b`));
});

test('the next page starts after the last row, and a failed one shows a toast and can be retried', async () => {
  const page = (from: number, length: number) =>
    Array.from({ length }, (_, index) => playlist(`p${from + index}`, `List ${from + index}`));
  const asked: (string | null)[] = [];
  server.use(
    http.get('*/v1/playlists', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('startAfter'));
      if (asked.length === 2) return problem(403, 'No');
      return list(asked.length === 1 ? page(0, 11) : page(11, 3));
    }),
  );
  const { user } = renderAt(SCREEN);
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('There was a problem loading more playlists.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'List 10' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'List 13' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /Show more|Try again/ })).toBeNull();
  expect(asked).toEqual([null, 'p10', 'p10']);
});

test('search and sort are in the URL and sent to the server', async () => {
  const asked = holding(playlist('a', 'Talks'));
  const { user, path } = renderAt(`${SCREEN}?sort=title`);
  await user.type(await screen.findByRole('searchbox', { name: 'Search playlists by title' }), ' tal ');
  await waitFor(() => expect(path()).toBe(`${SCREEN}?search=tal&sort=title`));
  await waitFor(() => expect(asked.at(-1)?.toString()).toBe(`orgId=${ORG}&search=tal&sort=title`));
});

test.each([
  ['Add file', 'file'],
  ['Add video', 'url'],
])('%s asks for the playlist first', async (item, source) => {
  holding(playlist('a', 'Talks'), playlist('b', 'Music'));
  const { user, path } = renderAt(SCREEN);
  await choose(user, item);
  const dialog = await screen.findByRole('dialog', { name: 'Choose a playlist' });
  await user.click(await within(dialog).findByRole('button', { name: /^Music/ }));
  await waitFor(() => expect(path()).toBe(`${SCREEN}/b?add=${source}`));
  expect(await screen.findByRole('dialog', { name: item })).toBeVisible();
});

test('without a playlist the picker offers to create one', async () => {
  holding();
  const { user } = renderAt(SCREEN);
  await choose(user, 'Add file');
  const dialog = await screen.findByRole('dialog', { name: 'Choose a playlist' });
  expect(await within(dialog).findByText('This organization does not have any playlist!')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Create a playlist' }));
  expect(await screen.findByRole('dialog', { name: 'Add playlist' })).toBeVisible();
});

test('a playlist is created when Finish is pressed and not before, with what was typed', async () => {
  holding();
  const sent: unknown[] = [];
  server.use(
    http.post('*/v1/playlists', async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? problem(403, 'No') : Response.json(playlist('new', 'T'), { status: 201 });
    }),
  );
  const { user } = renderAt(SCREEN);
  await choose(user, 'Add playlist');
  const wizard = await screen.findByRole('dialog', { name: 'Add playlist' });
  const field = (label: string) => within(wizard).getByLabelText(label);
  const press = (name: string) => user.click(within(wizard).getByRole('button', { name }));
  expect(within(wizard).getByText('Max 100 characters')).toBeVisible();
  expect(within(wizard).getByText('Max 1000 characters')).toBeVisible();
  expect(within(wizard).getByText('800x400 recommended')).toBeVisible();
  await user.type(field('Title'), 'T');
  await user.type(field('Contact email'), 'talks');
  await press('Next');
  expect(within(wizard).getByText('Invalid email!')).toBeVisible();
  await user.type(field('Contact email'), '@a.example');
  await user.type(field('Contact phone'), '+44 20 7946');
  await user.click(within(wizard).getByRole('switch', { name: 'Hide from public' }));
  await press('Next');
  expect(await within(wizard).findByText('Hidden from public')).toBeVisible();
  await press('Back');
  expect(field('Contact phone')).toHaveValue('+44 20 7946');
  await press('Next');
  await user.click(await within(wizard).findByRole('checkbox', { name: 'Notify users' }));
  expect(sent).toEqual([]);
  await press('Finish');
  expect(await screen.findByText('Problem creating playlist. Please try again.')).toBeVisible();
  await press('Finish');
  expect(await screen.findByText('Playlist added!')).toBeVisible();
  const contact = { email: 'talks@a.example', phoneNumber: '+4420 7946' };
  const made = { title: 'T', description: '', previewUrl: '', privacy: 'private', contact, items: [] };
  expect(sent).toEqual(Array(2).fill({ playlist: made, orgId: ORG, notifyUsers: true }));
});

test.each([
  ['Skip for now', SCREEN],
  ['Add file', `${SCREEN}/new?add=file`],
  ['Add video', `${SCREEN}/new?add=url`],
])('after a playlist was added, %s continues', async (action, target) => {
  holding();
  server.use(
    http.post('*/v1/playlists', () => Response.json(playlist('new', 'T'), { status: 201 })),
    http.get('*/v1/playlists/new', () => Response.json(playlist('new', 'T'))),
  );
  const { user, path } = renderAt(SCREEN);
  await choose(user, 'Add playlist');
  await user.type(await screen.findByLabelText('Title'), 'T');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.click(await screen.findByRole('button', { name: 'Finish' }));
  const wizard = await screen.findByRole('dialog', { name: 'Add playlist' });
  await within(wizard).findByText('Playlist added!');
  await user.click(within(wizard).getByRole('button', { name: action }));
  await waitFor(() => expect(screen.queryByText('Playlist added!')).toBeNull());
  await waitFor(() => expect(path()).toBe(target));
});
