/** Editing an item of a playlist: fields, thumbnail, moving, deleting. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test, vi } from 'vitest';
import { content, video } from '~/shared/testing/content.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, playlist, problem, server } from '~/shared/testing/server.ts';

vi.mock('~/shared/upload/hash.ts', () => ({ hashFile: async () => 'rL0Y20zC+Fzt72VPzMSk2A==' }));
vi.mock('~/shared/ui/image-cropper.tsx', () => import('~/shared/testing/image-cropper.tsx'));
vi.mock('~/shared/upload/put.ts', () => ({ putFile: async () => undefined }));

/** One playlist with these items and others beside it; records changes as method, path and body. */
function holding(item: ContentOut, others = [playlist('q', 'Other')]) {
  const sent: unknown[] = [];
  const all = [playlist('p', 'Talks', { items: [item.uid] }), ...others];
  const keep = async (request: Request) => {
    const body = request.method === 'DELETE' ? null : await request.json();
    sent.push([request.method, new URL(request.url).pathname.replace('/v1/', ''), body]);
  };
  server.use(
    http.get('*/v1/playlists', () => list(all)),
    http.get('*/v1/playlists/:id', ({ params }) => Response.json(all.find(({ uid }) => uid === params.id))),
    http.get('*/v1/playlists/:id/content', () => list([item])),
    http.get('*/v1/content/:id', () => Response.json(item)),
    http.patch('*/v1/playlists/:id', async ({ request, params }) => {
      await keep(request);
      return Response.json(all.find(({ uid }) => uid === params.id));
    }),
    http.patch('*/v1/content/:id', async ({ request }) => {
      await keep(request);
      return Response.json(item);
    }),
    http.delete('*/v1/content/:id', async ({ request }) => {
      await keep(request);
      return new Response(null, { status: 204 });
    }),
  );
  return sent;
}

async function edit(item: ContentOut) {
  const { user } = renderAt(`/org/${ORG}/playlists/p`);
  await user.click(await screen.findByRole('button', { name: `Edit ${item.title}` }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit content' });
  const press = (name: string) => user.click(within(dialog).getByRole('button', { name }));
  return {
    user,
    dialog,
    press,
    field: (label: string) => within(dialog).getByLabelText(label, { selector: 'input, textarea' }),
  };
}

test('an embedded video has a URL, and only changes are sent', async () => {
  const item = video('v', 'Clip', { description: 'Old' });
  const sent = holding(item);
  const { user, press, field, dialog } = await edit(item);
  const shown = ['Title', 'Description', 'Video URL'].map((label) => (field(label) as HTMLInputElement).value);
  expect(shown).toEqual(['Clip', 'Old', item.url]);
  await user.clear(field('Title'));
  await user.clear(field('Video URL'));
  await user.type(field('Video URL'), 'https://example.com/x');
  await press('Save');
  expect(within(dialog).getByText('Title is required')).toBeVisible();
  expect(within(dialog).getByText('URL is invalid.')).toBeVisible();
  expect(await screen.findByText('Invalid Form')).toBeVisible();
  expect(sent).toEqual([]);
  await user.type(field('Title'), 'New');
  await user.clear(field('Video URL'));
  await user.type(field('Video URL'), 'https://vimeo.com/1');
  await user.clear(field('Description'));
  await user.click(within(dialog).getByRole('switch', { name: 'Hide from public' }));
  await press('Save');
  expect(await screen.findByText('Edited content.')).toBeVisible();
  const changes = { title: 'New', description: '', privacy: 'private', url: 'https://vimeo.com/1' };
  expect(sent).toEqual([['PATCH', 'content/v', { content: expect.objectContaining(changes) }]]);
});

test('a file has no URL; a hidden item can be made public', async () => {
  const item = content('c', 'Film', { privacy: 'private' });
  const sent = holding(item);
  const { user, press, dialog } = await edit(item);
  expect(within(dialog).queryByLabelText('Video URL')).toBeNull();
  const hidden = within(dialog).getByRole('switch', { name: 'Hide from public' });
  expect(hidden).toBeChecked();
  await user.click(hidden);
  await press('Save');
  expect(await screen.findByText('Edited content.')).toBeVisible();
  expect(sent).toEqual([['PATCH', 'content/c', { content: expect.objectContaining({ privacy: 'public' }) }]]);
});

test('a chosen thumbnail is uploaded for the organisation and its URL saved', async () => {
  const item = content('c', 'Film');
  const sent = holding(item);
  let asked: unknown;
  server.use(
    http.post('*/v1/uploads', async ({ request }) => {
      asked = await request.json();
      const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/images/new' };
      return Response.json({ uid: 'u', status: 'pending', ingest }, { status: 201 });
    }),
    http.get('*/v1/uploads/u', () => Response.json({ uid: 'u', status: 'available' })),
  );
  const { user, press, dialog } = await edit(item);
  const input = within(dialog).getByLabelText('Thumbnail', { selector: 'input' });
  fireEvent.change(input, { target: { files: [new File(['x'], 'a.pdf', { type: 'application/pdf' })] } });
  expect(await screen.findByText('File type is not supported.')).toBeVisible();
  expect(asked).toBeUndefined();
  const picture = new File(['xyz'], 'a.png', { type: 'image/png', lastModified: 7 });
  fireEvent.change(input, { target: { files: [picture] } });
  await user.click(await screen.findByRole('button', { name: 'Use image' }));
  expect(await within(dialog).findByRole('button', { name: 'Replace thumbnail' })).toBeVisible();
  const file = {
    name: 'cropped-a.png',
    lastModified: 7,
    size: 3,
    type: 'image/png',
    checksum: 'rL0Y20zC+Fzt72VPzMSk2A==',
  };
  expect(asked).toEqual({ file, orgId: ORG });
  await press('Save');
  await screen.findByText('Edited content.');
  const changes = { previewUrl: 'http://127.0.0.1:8080/images/new' };
  expect(sent).toEqual([['PATCH', 'content/c', { content: expect.objectContaining(changes) }]]);
});

test('saving and deleting come after the file, in reach', async () => {
  const item = content('c', 'Film');
  holding(item);
  const { dialog } = await edit(item);
  const [file, save] = [
    within(dialog).getByRole('region', { name: 'File' }),
    within(dialog).getByRole('button', { name: 'Save' }),
  ];
  expect(file.compareDocumentPosition(save) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
});

test('moving adds it to the end of another playlist, then removes it from this one', async () => {
  const item = content('c', 'Film');
  const page = Array.from({ length: 11 }, (_, index) => playlist(`l${index}`, `List ${index}`));
  const last = playlist('z', 'Last of all', { items: ['x'] });
  const sent = holding(item, [last]);
  server.use(
    http.get('*/v1/playlists', ({ request }) =>
      list(new URL(request.url).searchParams.get('search') === 'last' ? [last] : page),
    ),
  );
  const { user, press, field } = await edit(item);
  await user.click(field('Playlist'));
  await user.clear(field('Playlist'));
  await user.type(field('Playlist'), 'last');
  await user.click(await screen.findByRole('option', { name: 'Last of all' }));
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const timeModified = '2026-11-01T10:00:00.000Z';
  expect(sent.slice(1)).toEqual([
    ['PATCH', 'playlists/z', { playlist: { items: ['x', 'c'], timeModified } }],
    ['PATCH', 'playlists/p', { playlist: { items: [], timeModified } }],
  ]);
});

test('deleting asks for confirmation and removes it from the playlist first; cancelling sends nothing', async () => {
  const item = content('c', 'Film');
  const sent = holding(item);
  const { user, press } = await edit(item);
  await press('Delete content');
  const question = await screen.findByRole('dialog', { name: 'Confirmation' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit content' });
  expect(sent).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Delete content' }));
  const again = await screen.findByRole('dialog', { name: 'Confirmation' });
  await user.click(within(again).getByRole('button', { name: 'Delete content' }));
  expect(await screen.findByText('Deleted content.')).toBeVisible();
  expect(sent).toEqual([
    ['PATCH', 'playlists/p', { playlist: { items: [], timeModified: '2026-11-01T10:00:00.000Z' } }],
    ['DELETE', 'content/c', null],
  ]);
});

test('a refused change keeps the input and shows the reason', async () => {
  const item = content('c', 'Film');
  holding(item);
  server.use(http.patch('*/v1/content/:id', () => problem(400, 'title is too long.')));
  const { user, press, field } = await edit(item);
  await user.type(field('Title'), '!');
  await press('Save');
  expect(await screen.findByText('title is too long.')).toBeVisible();
  expect(field('Title')).toHaveValue('Film!');
});
