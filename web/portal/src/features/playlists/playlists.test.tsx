/** The content screen and one playlist, end to end. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentOut } from '@vitrine/api';
import { http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { content as item } from '~/shared/testing/content.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, organisation, playlist, problem, server } from '~/shared/testing/server.ts';

describe('the content screen', () => {
  test('is empty with an action for people who may create playlists', async () => {
    server.use(http.get('*/v1/playlists', () => list([])));
    renderAt(`/org/${ORG}/playlists`);
    expect(await screen.findByText('This organization does not have any playlist!')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Create a playlist' })).toBeVisible();
    expect(screen.getByRole('heading', { name: "Ada Byron's Content" })).toBeVisible();
  });

  test('keeps its place while it is searched', async () => {
    server.use(http.get('*/v1/playlists', () => list([playlist('talks', 'Talks')])));
    const { user, path } = renderAt(`/org/${ORG}/playlists`);
    const field = await screen.findByRole('searchbox');
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    await user.type(field, 'talk');
    await waitFor(() => expect(path()).toContain('search=talk'));
    await screen.findByText('Talks');
    expect(scroll).not.toHaveBeenCalled();
    scroll.mockRestore();
  });

  test('offers a team user nothing to add', async () => {
    server.use(
      belongsTo(membership('teamUser')),
      http.get('*/v1/playlists', () => list([])),
    );
    renderAt(`/org/${ORG}/playlists`);
    await screen.findByText('This organization does not have any playlist!');
    expect(screen.queryByRole('button', { name: 'Create a playlist' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add' })).toBeNull();
  });

  test('creates a playlist in three steps', async () => {
    let sent: unknown;
    server.use(
      http.get('*/v1/playlists', () => list([])),
      http.post('*/v1/playlists', async ({ request }) => {
        sent = await request.json();
        return Response.json(playlist('new', 'Talks'), { status: 201 });
      }),
    );
    const { user } = renderAt(`/org/${ORG}/playlists`);
    await user.click(await screen.findByRole('button', { name: 'Create a playlist' }));
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    expect(screen.getByText('Title is required')).toBeVisible();
    expect(await screen.findByText('Invalid Form')).toBeVisible();
    await user.type(screen.getByLabelText('Title'), 'Talks');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    expect(await screen.findByText('Playlist added!')).toBeVisible();
    expect(await screen.findByText('Playlist created')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Skip for now' })).toBeVisible();
    expect(sent).toEqual({
      playlist: {
        title: 'Talks',
        description: '',
        previewUrl: '',
        privacy: 'public',
        contact: { email: '', phoneNumber: '' },
        items: [],
      },
      orgId: ORG,
      notifyUsers: false,
    });
  });

  test('pins a public playlist, and refuses a fifth before any call', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((uid) => playlist(uid, `List ${uid}`));
    server.use(
      http.get('*/v1/playlists', () => list(all)),
      http.get('*/v1/playlists/:id', ({ params }) => Response.json(all.find(({ uid }) => uid === params.id))),
      http.get('*/v1/organizations', () => list([{ ...organisation, pinnedPlaylists: ['a', 'b', 'c', 'd'] }])),
    );
    const { user } = renderAt(`/org/${ORG}/playlists`);
    expect(await screen.findByText('You can pin 0 more playlists')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Pin List e' }));
    expect(await screen.findByText('You cannot pin more than 4 playlists.')).toBeVisible();
  });

  test('raises a toast each time playlists fail to load, and offers a retry', async () => {
    server.use(http.get('*/v1/playlists', () => problem(403, 'No')));
    const { user } = renderAt(`/org/${ORG}/playlists`);
    const toast = 'There was a problem fetching your playlists. Try refreshing the page.';
    expect((await screen.findByText(toast)).closest('.mantine-Notification-root')).toBeVisible();
    expect(screen.getByText('Your playlists could not be loaded.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.getAllByText(toast)).toHaveLength(2));
  });
});

describe('one playlist', () => {
  const open = (items: ContentOut[]) =>
    server.use(
      http.get('*/v1/playlists/p', () => Response.json(playlist('p', 'Talks', { items: items.map(({ uid }) => uid) }))),
      http.get('*/v1/playlists/p/content', () => list(items)),
      http.get('*/v1/playlists', () => list([playlist('p', 'Talks')])),
      http.get('*/v1/content/:id', ({ params }) => Response.json(items.find(({ uid }) => uid === params.id))),
    );

  test('shows its empty state and N/A for missing contacts', async () => {
    open([]);
    renderAt(`/org/${ORG}/playlists/p`);
    expect(await screen.findByText('This playlist has no content.')).toBeVisible();
    expect(screen.getAllByText('N/A')).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'Back to playlists' })).toHaveAttribute('href', `/org/${ORG}/playlists`);
  });

  test('shows a fallback when it is missing', async () => {
    server.use(http.get('*/v1/playlists/gone', () => problem(404, 'Playlist not found')));
    renderAt(`/org/${ORG}/playlists/gone`);
    expect(await screen.findByText('Error loading playlist.')).toBeVisible();
  });

  test('is reordered with the arrow keys, and Done saves the new order', async () => {
    open([item('a', 'First'), item('b', 'Second')]);
    let sent: unknown;
    server.use(
      http.patch('*/v1/playlists/p', async ({ request }) => {
        sent = await request.json();
        return Response.json(playlist('p', 'Talks'));
      }),
    );
    const { user } = renderAt(`/org/${ORG}/playlists/p`);
    await user.click(await screen.findByRole('button', { name: 'Reorder' }));
    fireEvent.keyDown(screen.getByRole('button', { name: /^Move First/ }), { key: 'ArrowDown' });
    expect(screen.getByText('First: position 2 of 2')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText('Content Reordered')).toBeVisible();
    expect(sent).toEqual({ playlist: { items: ['b', 'a'], timeModified: '2026-11-01T10:00:00.000Z' } });
  });

  test('warns if another person changed the playlist, and shows the current order', async () => {
    open([item('a', 'First'), item('b', 'Second')]);
    server.use(http.patch('*/v1/playlists/p', () => problem(409, 'Changed')));
    const { user } = renderAt(`/org/${ORG}/playlists/p`);
    await user.click(await screen.findByRole('button', { name: 'Reorder' }));
    fireEvent.keyDown(screen.getByRole('button', { name: /^Move First/ }), { key: 'ArrowDown' });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText('Content Reorder Failed')).toBeVisible();
    expect(await screen.findByText('Someone else changed this playlist.')).toBeVisible();
    const titles = screen.getAllByRole('button', { name: /^(First|Second)$/ }).map((button) => button.textContent);
    expect(titles).toEqual(['First', 'Second']);
  });

  test('puts content back if it is still in another playlist', async () => {
    open([item('a', 'First'), item('b', 'Second')]);
    const orders: string[][] = [['a', 'b']];
    server.use(
      http.get('*/v1/playlists/p', () => Response.json(playlist('p', 'Talks', { items: orders.at(-1) ?? [] }))),
      http.patch('*/v1/playlists/p', async ({ request }) => {
        const { playlist: sent } = (await request.json()) as { playlist: { items: string[] } };
        orders.push(sent.items);
        return Response.json(playlist('p', 'Talks'));
      }),
      http.delete('*/v1/content/a', () => problem(409, 'In use')),
    );
    const { user } = renderAt(`/org/${ORG}/playlists/p`);
    await user.click(await screen.findByRole('button', { name: 'Edit First' }));
    await user.click(await screen.findByRole('button', { name: 'Delete content' }));
    const dialog = await screen.findByRole('dialog', { name: 'Confirmation' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete content' }));
    expect(
      await screen.findByText('Failed to delete content. Make sure it has been removed from all playlists.'),
    ).toBeVisible();
    expect(orders).toEqual([['a', 'b'], ['b'], ['a', 'b']]);
  });

  test('adds an embedded video in four steps and puts it at the end', async () => {
    open([item('a', 'First')]);
    const sent: unknown[] = [];
    server.use(
      http.post('*/v1/content', async ({ request }) => {
        sent.push(await request.json());
        return Response.json({ uid: 'v', status: 'available' }, { status: 201 });
      }),
      http.patch('*/v1/playlists/p', async ({ request }) => {
        sent.push(await request.json());
        return Response.json(playlist('p', 'Talks'));
      }),
    );
    const { user } = renderAt(`/org/${ORG}/playlists/p?add=url`);
    const address = await screen.findByLabelText('Video URL');
    await user.type(address, 'https://example.com/video');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('URL is invalid.')).toBeVisible();
    await user.clear(address);
    await user.type(address, 'https://youtu.be/dQw4w9WgXcQ');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.type(await screen.findByLabelText('Title'), 'Clip');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.click(await screen.findByRole('button', { name: 'Upload' }));
    expect(await screen.findByText('Upload successful!')).toBeVisible();
    expect(await screen.findByText('Added content.')).toBeVisible();
    expect(sent).toEqual([
      {
        content: {
          title: 'Clip',
          description: '',
          previewUrl: '',
          privacy: 'public',
          url: 'https://youtu.be/dQw4w9WgXcQ',
        },
        orgId: ORG,
        file: null,
        notifyUsers: false,
      },
      { playlist: { items: ['a', 'v'], timeModified: '2026-11-01T10:00:00.000Z' } },
    ]);
  });

  test('keeps new content and retries only adding it to the playlist', async () => {
    open([]);
    let created = 0;
    let tries = 0;
    server.use(
      http.post('*/v1/content', () => {
        created += 1;
        return Response.json({ uid: 'v', status: 'available' }, { status: 201 });
      }),
      http.patch('*/v1/playlists/p', () => {
        tries += 1;
        return tries === 1 ? problem(403, 'No') : Response.json(playlist('p', 'Talks'));
      }),
    );
    const { user } = renderAt(`/org/${ORG}/playlists/p?add=url`);
    await user.type(await screen.findByLabelText('Video URL'), 'https://youtu.be/dQw4w9WgXcQ');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.type(await screen.findByLabelText('Title'), 'Clip');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.click(await screen.findByRole('button', { name: 'Upload' }));
    expect(await screen.findByText('Problem adding content to playlist. Please try again.')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Add to playlist again' }));
    expect(await screen.findByText('Upload successful!')).toBeVisible();
    await waitFor(() => expect([created, tries]).toEqual([1, 2]));
  });
});
