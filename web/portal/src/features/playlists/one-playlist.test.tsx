/** One playlist: header, preview, items, order, editing and deleting. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentOut, PlaylistOut } from '@vitrine/api';
import { http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { content, video } from '~/shared/testing/content.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, playlist, problem, server } from '~/shared/testing/server.ts';

const SCREEN = `/org/${ORG}/playlists/p`;
const first = content('a', 'First');
const second = video('b', 'Second', { description: 'What it is about' });

/** The stored playlist; records every change. */
function holding(items: ContentOut[], fields: Partial<PlaylistOut> = {}) {
  const state = {
    items,
    playlist: playlist('p', 'Talks', { items: items.map(({ uid }) => uid), ...fields }),
    sent: [] as Record<string, unknown>[],
  };
  server.use(
    http.get('*/v1/playlists/p', () => Response.json(state.playlist)),
    http.get('*/v1/playlists/p/content', () => list(state.items)),
    http.get('*/v1/playlists', () => list([state.playlist])),
    http.patch('*/v1/playlists/p', async ({ request }) => {
      state.sent.push(((await request.json()) as { playlist: Record<string, unknown> }).playlist);
      return Response.json(state.playlist);
    }),
  );
  return state;
}

describe('the head', () => {
  test('shows cover, title, description and contact', async () => {
    holding([], {
      description: 'All of them',
      previewUrl: 'http://127.0.0.1:8080/images/p',
      contact: { email: 'talks@a.example', phoneNumber: '+44 20' },
    });
    renderAt(SCREEN);
    const head = (await screen.findByRole('heading', { level: 1, name: 'Talks' })).closest('header') as HTMLElement;
    for (const words of ['All of them', 'talks@a.example', '+44 20'])
      expect(within(head).getByText(words)).toBeVisible();
    expect(head.querySelector('img')).toHaveAttribute('src', 'http://127.0.0.1:8080/images/p');
  });

  test('has a menu and an Edit button for people with the right, and the menu opens the wizards', async () => {
    holding([first, second]);
    server.use(belongsTo(membership('teamLeader')));
    const { user, path } = renderAt(SCREEN);
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    const offered = await screen.findAllByRole('menuitem');
    expect(offered.map(({ textContent }) => textContent)).toEqual(['Add file', 'Add video']);
    await user.click(screen.getByRole('menuitem', { name: 'Add video' }));
    expect(await screen.findByRole('dialog', { name: 'Add video' })).toBeVisible();
    expect(path()).toBe(`${SCREEN}?add=url`);
  });

  test('offers a team user nothing to change, not even through the URL of a wizard', async () => {
    holding([first, second]);
    server.use(belongsTo(membership('teamUser')));
    // If it were allowed, the loaded wizard would appear before the player.
    await import('~/features/content/parts/add-content-wizard.tsx');
    renderAt(`${SCREEN}?add=file&content=b`);
    expect(await screen.findByRole('button', { name: /^Play Second/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^(Edit|Add|Reorder)/ })).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('skeletons show until the playlist and its items are loaded', async () => {
  holding([first]);
  let letGo: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server.use(
    http.get('*/v1/playlists/p/content', async () => {
      await waiting;
      return list([first]);
    }),
  );
  renderAt(SCREEN);
  await screen.findByRole('heading', { level: 1, name: 'Talks' });
  expect(document.querySelector('main [aria-busy="true"]')).toBeVisible();
  letGo();
  expect(await screen.findByRole('button', { name: 'First' })).toBeVisible();
  expect(document.querySelector('main [aria-busy="true"]')).toBeNull();
});

test('items are in order with their count, and the selected one is previewed', async () => {
  holding([second, first]);
  const { user, path } = renderAt(SCREEN);
  expect(await screen.findByRole('heading', { name: '2 items' })).toBeVisible();
  const titles = screen.getAllByRole('button', { name: /^(First|Second)$/ }).map(({ textContent }) => textContent);
  expect(titles).toEqual(['Second', 'First']);
  expect(screen.getByText(/^File · 3 views/)).toHaveTextContent(/^File · 3 views · \d/);
  expect(screen.getByText(/^Embedded video · 3 views/)).toBeVisible();
  expect(screen.getAllByText(/^[\d,]+ \w+ ago$/)).toHaveLength(2);
  const preview = screen.getByRole('region', { name: 'Preview' });
  expect(within(preview).getByRole('heading', { name: 'Second' })).toBeVisible();
  expect(within(preview).getByText('What it is about')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'First' }));
  expect(await within(preview).findByRole('heading', { name: 'First' })).toBeVisible();
  expect(path()).toBe(`${SCREEN}?content=a`);
});

test('a playlist of another organisation is not shown', async () => {
  holding([], { orgId: 'another' });
  renderAt(SCREEN);
  expect(await screen.findByText('Error loading playlist.')).toBeVisible();
});

describe('the order', () => {
  const reorder = async (user: ReturnType<typeof renderAt>['user']) => {
    await user.click(await screen.findByRole('button', { name: 'Reorder' }));
    fireEvent.keyDown(screen.getByRole('button', { name: /^Move First/ }), { key: 'ArrowDown' });
  };

  test('is not saved if unchanged', async () => {
    const { sent } = holding([first, second]);
    const { user } = renderAt(SCREEN);
    await reorder(user);
    fireEvent.keyDown(screen.getByRole('button', { name: /^Move First/ }), { key: 'ArrowUp' });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.getByRole('button', { name: 'Reorder' })).toBeVisible();
    expect(sent).toEqual([]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('keeps items added while reordering', async () => {
    const draft = content('c', 'Third', { type: 'draft', processing: 'none' });
    const state = holding([first, second]);
    const { user, client } = renderAt(SCREEN);
    await reorder(user);
    state.items = [first, second, draft];
    state.playlist = { ...state.playlist, items: ['a', 'b', 'c'], timeModified: '2026-11-02T00:00:00.000Z' };
    await client.invalidateQueries({ queryKey: ['org', ORG, 'playlist', 'p'] });
    expect(await screen.findByRole('button', { name: /^Move Third/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText('Content Reordered')).toBeVisible();
    expect(state.sent).toEqual([{ items: ['b', 'a', 'c'], timeModified: '2026-11-02T00:00:00.000Z' }]);
  });

  test("does not undo another person's concurrent reorder", async () => {
    const third = content('c', 'Third');
    const state = holding([first, second, third]);
    const { user, client } = renderAt(SCREEN);
    await reorder(user);
    state.playlist = { ...state.playlist, items: ['c', 'a', 'b'], timeModified: '2026-11-02T00:00:00.000Z' };
    await client.invalidateQueries({ queryKey: ['org', ORG, 'playlist', 'p'], exact: true });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(state.sent).toHaveLength(1));
    expect(state.sent[0]).toMatchObject({ timeModified: '2026-11-01T10:00:00.000Z' });
  });

  test('shows the new order while saving, and the old one if that fails', async () => {
    holding([first, second]);
    let refuse: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    server.use(
      http.patch('*/v1/playlists/p', async () => {
        await waiting;
        return problem(403, 'No');
      }),
    );
    const { user } = renderAt(SCREEN);
    await reorder(user);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    const titles = () =>
      screen.getAllByRole('button', { name: /^(First|Second)$/ }).map(({ textContent }) => textContent);
    expect(titles()).toEqual(['Second', 'First']);
    refuse();
    expect(await screen.findByText('Content Reorder Failed')).toBeVisible();
    await waitFor(() => expect(titles()).toEqual(['First', 'Second']));
  });

  test('vibrates for 100 ms when a drag starts', async () => {
    const vibrate = vi.fn();
    Object.defineProperty(navigator, 'vibrate', { value: vibrate, configurable: true });
    holding([first, second]);
    const { user } = renderAt(SCREEN);
    await user.click(await screen.findByRole('button', { name: 'Reorder' }));
    fireEvent.mouseDown(screen.getByRole('button', { name: /^Move First/ }), { clientX: 1, clientY: 1 });
    expect(vibrate).not.toHaveBeenCalled();
    fireEvent.mouseMove(document, { clientX: 1, clientY: 40 });
    await waitFor(() => expect(vibrate).toHaveBeenCalledExactlyOnceWith(100));
    fireEvent.mouseUp(document);
    Reflect.deleteProperty(navigator, 'vibrate');
  });
});

describe('editing', () => {
  const edit = async (user: ReturnType<typeof renderAt>['user']) => {
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    return screen.findByRole('dialog', { name: 'Edit Playlist' });
  };

  test('sends the fields unchanged, with the phone as typed', async () => {
    const { sent } = holding([], { privacy: 'unlisted', contact: { email: '', phoneNumber: '+44 20 7946' } });
    const { user } = renderAt(SCREEN);
    const dialog = await edit(user);
    const field = (label: string) => within(dialog).getByLabelText(label);
    expect(field('Contact phone')).toHaveValue('+44 20 7946');
    await user.clear(field('Title'));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(within(dialog).getByText('Title is required')).toBeVisible();
    expect(await screen.findByText('Invalid Form')).toBeVisible();
    await user.type(field('Title'), 'x');
    await user.type(field('Description'), 'About');
    await user.type(field('Contact email'), 'a@b.example');
    await user.type(field('Contact phone'), ' 01');
    await user.click(within(dialog).getByRole('switch', { name: 'Public' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Playlist updated')).toBeVisible();
    expect(sent).toEqual([
      {
        title: 'x',
        description: 'About',
        contact: { email: 'a@b.example', phoneNumber: '+44 20 7946 01' },
        privacy: 'public',
        timeModified: '2026-11-01T10:00:00.000Z',
      },
    ]);
  });

  test('of a public playlist to not public makes it unlisted', async () => {
    const { sent } = holding([]);
    const { user } = renderAt(SCREEN);
    const dialog = await edit(user);
    await user.click(within(dialog).getByRole('switch', { name: 'Public' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ privacy: 'unlisted' });
  });

  test('a playlist is deleted after confirmation, and not when cancelled', async () => {
    holding([first]);
    const deleted = vi.fn(() => new Response(null, { status: 204 }));
    server.use(http.delete('*/v1/playlists/p', deleted));
    const { user, path } = renderAt(SCREEN);
    const dialog = await edit(user);
    await user.click(within(dialog).getByRole('button', { name: 'Delete playlist' }));
    const question = () => screen.findByRole('dialog', { name: 'Confirmation' });
    expect(within(await question()).getByText(/Its content stays in the organization\./)).toBeVisible();
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    const again = await screen.findByRole('dialog', { name: 'Edit Playlist' });
    expect(deleted).not.toHaveBeenCalled();
    await user.click(within(again).getByRole('button', { name: 'Delete playlist' }));
    await user.click(within(await question()).getByRole('button', { name: 'Delete playlist' }));
    expect(await screen.findByText('Deleted playlist')).toBeVisible();
    await waitFor(() => expect(path()).toBe(`/org/${ORG}/playlists`));
    expect(deleted).toHaveBeenCalledOnce();
  });
});

describe('sharing', () => {
  const base = `${window.location.origin}/app/org/${ORG}/playlists/p`;

  test.each([
    ['public', base, /Everyone who has joined Northwind can open this link\. The playlist is also listed/],
    ['unlisted', base, /this link is the only way in/],
    ['private', null, /Only staff can see this playlist/],
  ] as const)('a %s playlist says who can open it', async (privacy, link, words) => {
    holding([first], { privacy });
    const { user } = renderAt(SCREEN);
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Share “Talks”' }));
    expect(dialog.getByText(words)).toBeVisible();
    if (link === null) expect(dialog.queryByLabelText('Link')).toBeNull();
    else {
      expect(dialog.getByLabelText('Link')).toHaveValue(link);
      expect(await dialog.findByRole('img', { name: `QR code of ${link}` })).toBeVisible();
    }
  });

  test('an item is shared by a link to it in its playlist, unless it is hidden', async () => {
    holding([first, { ...second, privacy: 'private' }]);
    const { user } = renderAt(SCREEN);
    await user.click(await screen.findByRole('button', { name: 'Share First' }));
    expect(await screen.findByLabelText('Link')).toHaveValue(`${base}?item=a`);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Second' }));
    await user.click(await screen.findByRole('button', { name: 'Share Second' }));
    expect(await screen.findByText(/Only staff can see this item/)).toBeVisible();
    expect(screen.queryByLabelText('Link')).toBeNull();
  });
});
