/** All content: filtering, adding to playlists, editing, deleting. */
import { screen, waitFor, within } from '@testing-library/react';
import type { ContentOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { content, video } from '~/shared/testing/content.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, playlist, problem, server } from '~/shared/testing/server.ts';

const SCREEN = `/org/${ORG}/playlists?tab=all`;

/** An organisation with this content and one playlist; records queries and changes. */
function holding(...items: ContentOut[]) {
  const requests = { asked: [] as string[], sent: [] as unknown[] };
  const target = playlist('p', 'Talks');
  server.use(
    http.get('*/v1/content', ({ request }) => {
      requests.asked.push(new URL(request.url).search);
      return list(items);
    }),
    http.get('*/v1/content/:id', ({ params }) => Response.json(items.find(({ uid }) => uid === params.id))),
    http.get('*/v1/playlists', () => list([target])),
    http.get('*/v1/playlists/p', () => Response.json(target)),
    http.patch('*/v1/playlists/p', async ({ request }) => {
      requests.sent.push(await request.json());
      return Response.json(target);
    }),
  );
  return requests;
}

test('is filtered by title, kind and missing playlist, and the URL has the filter', async () => {
  const { asked } = holding(video('a', 'Clip'));
  const { user, path } = renderAt(SCREEN);
  await user.type(await screen.findByRole('searchbox', { name: 'Search content by title' }), 'clip');
  await user.click(screen.getByRole('checkbox', { name: 'Not in a playlist' }));
  await user.click(screen.getByLabelText('Content type', { selector: 'input' }));
  await user.click(await screen.findByRole('option', { name: 'Embedded video' }));
  await waitFor(() => expect(path()).toBe(`${SCREEN}&search=clip&kind=embed&loose=true`));
  await waitFor(() => expect(asked.at(-1)).toBe(`?orgId=${ORG}&search=clip&kind=embed&inPlaylist=false`));
});

test('a URL restores the filter without invalid parts; an empty result is shown', async () => {
  const { asked } = holding();
  renderAt(`${SCREEN}&search=2026&kind=nonsense&loose=7`);
  expect(await screen.findByText('No content matches your filters.')).toBeVisible();
  expect(screen.getByRole('searchbox', { name: 'Search content by title' })).toHaveValue('2026');
  expect(asked).toEqual([`?orgId=${ORG}&search=2026`]);
});

test('a file that has not arrived is marked and cannot be added to a playlist; others go to the end', async () => {
  const draft = content('d', 'On its way', { type: 'draft', processing: 'none', file: null, url: '' });
  const { sent } = holding(draft, content('c', 'Film'));
  const { user } = renderAt(SCREEN);
  const [first] = await screen.findAllByRole('article');
  expect(within(first as HTMLElement).getByText('Processing')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add On its way to a playlist' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Add Film to a playlist' }));
  await user.click(await screen.findByRole('button', { name: /^Talks/ }));
  expect(await screen.findByText('Added content.')).toBeVisible();
  expect(sent).toEqual([{ playlist: { items: ['c'], timeModified: '2026-11-01T10:00:00.000Z' } }]);
});

test('content that is still in a playlist is not deleted, and a message says so', async () => {
  holding(content('c', 'Film'));
  server.use(http.delete('*/v1/content/c', () => problem(409, 'In use')));
  const { user } = renderAt(SCREEN);
  await user.click(await screen.findByRole('button', { name: 'Edit Film' }));
  await user.click(await screen.findByRole('button', { name: 'Delete content' }));
  const question = await screen.findByRole('dialog', { name: 'Confirmation' });
  await user.click(within(question).getByRole('button', { name: 'Delete content' }));
  expect(
    await screen.findByText('Failed to delete content. Make sure it has been removed from all playlists.'),
  ).toBeVisible();
  expect(screen.getByRole('button', { name: 'Film' })).toBeVisible();
});

test('the files of deleted content are removed at once when that is asked for', async () => {
  holding(content('c', 'Film'));
  const asked: string[] = [];
  server.use(
    http.delete('*/v1/content/c', ({ request }) => {
      asked.push(new URL(request.url).search);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = renderAt(SCREEN);
  await user.click(await screen.findByRole('button', { name: 'Edit Film' }));
  await user.click(await screen.findByRole('button', { name: 'Delete content' }));
  const question = await screen.findByRole('dialog', { name: 'Confirmation' });
  await user.click(within(question).getByRole('checkbox', { name: /^Free its storage now/ }));
  await user.click(within(question).getByRole('button', { name: 'Delete content' }));
  expect(await screen.findByText('Deleted content.')).toBeVisible();
  expect(asked).toEqual(['?permanent=true']);
});

test('a team user can look but not change anything', async () => {
  holding(video('v', 'Clip'));
  server.use(belongsTo(membership('teamUser')));
  const { user } = renderAt(SCREEN);
  await user.click(await screen.findByRole('button', { name: 'Clip' }));
  expect(await screen.findByRole('dialog', { name: 'Preview' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^(Edit|Add) Clip/, hidden: true })).toBeNull();
});

test('a page that fails to load shows a toast and can be retried', async () => {
  let calls = 0;
  server.use(
    http.get('*/v1/content', () => {
      calls += 1;
      if (calls === 2) return problem(403, 'No');
      const rows = Array.from({ length: calls === 1 ? 11 : 1 }, (_, index) =>
        content(`${calls}-${index}`, `F${calls}`),
      );
      return list(rows);
    }),
  );
  const { user } = renderAt(SCREEN);
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('There was a problem loading more content.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'F3' })).toBeVisible();
  expect(screen.getAllByRole('article')).toHaveLength(12);
});
