/** Adding content to a playlist: steps, requests and failures. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { uploads } from '~/features/content/api/upload-queue.ts';
import { content } from '~/shared/testing/content.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, playlist, problem, server } from '~/shared/testing/server.ts';
import { putFile } from '~/shared/upload/put.ts';

vi.mock('~/shared/upload/hash.ts', () => ({ hashFile: async () => 'rL0Y20zC+Fzt72VPzMSk2A==' }));
vi.mock('~/shared/upload/put.ts', () => ({ putFile: vi.fn(async () => undefined) }));

// The queue outlives screens, and would outlive tests.
afterEach(() => {
  for (const { id } of uploads.snapshot()) uploads.cancel(id);
  vi.mocked(putFile).mockClear();
});

/** A playlist with one item; records requests as method, path and body. */
function holding(refusals = 0) {
  const sent: [string, string, unknown][] = [];
  const talks = playlist('p', 'Talks', { items: ['a'] });
  const keep = async (request: Request) => {
    sent.push([request.method, new URL(request.url).pathname.replace('/v1/', ''), await request.json()]);
  };
  server.use(
    http.get('*/v1/playlists/p', () => Response.json(talks)),
    http.get('*/v1/playlists/p/content', () => list([])),
    http.patch('*/v1/playlists/p', async ({ request }) => {
      await keep(request);
      return Response.json(talks);
    }),
    http.post('*/v1/content', async ({ request }) => {
      await keep(request);
      if (sent.length <= refusals) return problem(402, 'There is no room left in your plan for this file.');
      const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/v1/content/new' };
      return Response.json({ uid: 'new', status: 'pending', ingest }, { status: 201 });
    }),
    http.get('*/v1/content/new', () =>
      Response.json(content('new', 'New', { kind: 'video', processing: 'running', progress: 40, secondsLeft: 75 })),
    ),
    http.get('*/v1/uploads/new', () => Response.json({ uid: 'new', status: 'available' })),
  );
  return sent;
}

async function open(source: 'file' | 'url') {
  const { user } = renderAt(`/org/${ORG}/playlists/p?add=${source}`);
  const name = source === 'file' ? 'Add file' : 'Add video';
  const wizard = within(await screen.findByRole('dialog', { name }));
  const press = (button: string) => user.click(wizard.getByRole('button', { name: button }));
  const choose = (...files: File[]) => user.upload(wizard.getByLabelText(/^Drop files here/), files);
  return { user, wizard, press, choose };
}

const video = () => new File(['x'.repeat(1536)], 'my_first-film.mp4', { type: 'video/mp4', lastModified: 7 });
const current = () => document.querySelector('[aria-current="step"]')?.textContent;

test('steps advance with valid input, and Back keeps it', async () => {
  const sent = holding();
  const { user, wizard, press } = await open('url');
  expect(wizard.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1Source',
    '2Details',
    '3Review',
    '4Done',
  ]);
  expect(wizard.queryByRole('button', { name: 'Back' })).toBeNull();
  await user.type(wizard.getByLabelText('Video URL'), 'https://example.com/video');
  await press('Next');
  expect(wizard.getByText('URL is invalid.')).toBeVisible();
  expect(await screen.findByText('Invalid Form')).toBeVisible();
  expect(current()).toBe('1Source');
  await user.clear(wizard.getByLabelText('Video URL'));
  await user.type(wizard.getByLabelText('Video URL'), 'https://vimeo.com/1');
  await press('Next');
  expect(current()).toBe('2Details');
  await press('Next');
  expect(wizard.getByText('Title is required')).toBeVisible();
  // The one of the step before is gone since that step is valid.
  await waitFor(() => expect(screen.getAllByText('Invalid Form')).toHaveLength(1));
  fireEvent.change(wizard.getByLabelText('Title'), { target: { value: 'T'.repeat(101) } });
  await press('Next');
  expect(current()).toBe('3Review');
  await press('Back');
  expect(wizard.getByLabelText('Title')).toHaveValue('T'.repeat(101));
  await press('Back');
  expect(wizard.getByLabelText('Video URL')).toHaveValue('https://vimeo.com/1');
  expect(sent).toEqual([]);
});

test('a file is described, sent to its ingest address, and put at the end of the playlist', async () => {
  const sent = holding();
  const { user, wizard, press, choose } = await open('file');
  await press('Next');
  expect(wizard.getByRole('alert')).toHaveTextContent('Choose a file to continue.');
  await choose(video());
  await press('Next');
  expect(wizard.getByLabelText('Title')).toHaveValue('My first film');
  expect(wizard.getByText('Max 100 characters')).toBeVisible();
  expect(wizard.getByText('Max 1000 characters')).toBeVisible();
  await user.click(wizard.getByRole('switch', { name: 'Hide from public' }));
  await press('Next');
  expect(wizard.getByText('my_first-film.mp4')).toBeVisible();
  expect(wizard.getByText('1.5 KB')).toBeVisible();
  await user.click(wizard.getByRole('checkbox', { name: 'Notify users' }));
  await press('Upload');
  expect(await screen.findByText('Upload successful!')).toBeVisible();
  expect(await wizard.findByText('Processing')).toBeVisible();
  expect(wizard.getByText('40 % · 1:15 left')).toBeVisible();
  expect(await screen.findByText('Added content.')).toBeVisible();
  const described = { name: 'my_first-film.mp4', lastModified: 7, size: 1536, type: 'video/mp4' };
  expect(sent).toEqual([
    [
      'POST',
      'content',
      {
        content: { title: 'My first film', description: '', previewUrl: '', privacy: 'private' },
        orgId: ORG,
        file: { ...described, checksum: 'rL0Y20zC+Fzt72VPzMSk2A==' },
        notifyUsers: true,
      },
    ],
    ['PATCH', 'playlists/p', { playlist: { items: ['a', 'new'], timeModified: '2026-11-01T10:00:00.000Z' } }],
  ]);
  expect(vi.mocked(putFile).mock.calls[0]?.[0]).toMatchObject({
    url: 'http://127.0.0.1:8080/v1/ingest/t',
    contentType: 'video/mp4',
  });
  await press('Done');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each(['file', 'url'] as const)(
  'a %s that cannot be created shows the reason, and can be tried again',
  async (source) => {
    const sent = holding(1);
    const { user, wizard, press, choose } = await open(source);
    if (source === 'file') await choose(video());
    else await user.type(wizard.getByLabelText('Video URL'), 'https://youtu.be/dQw4w9WgXcQ');
    await press('Next');
    fireEvent.change(wizard.getByLabelText('Title'), { target: { value: 'Clip' } });
    await press('Next');
    await press('Upload');
    const alert = await wizard.findByRole('alert');
    expect(alert).toHaveTextContent('Problem creating content. Please try again.');
    expect(alert).toHaveTextContent('There is no room left in your plan for this file.');
    expect(screen.getAllByText('Problem creating content. Please try again.')).toHaveLength(2);
    await press('Upload');
    expect(await screen.findByText('Upload successful!')).toBeVisible();
    expect(sent.map(([method, path]) => `${method} ${path}`)).toEqual([
      'POST content',
      'POST content',
      'PATCH playlists/p',
    ]);
  },
);

test('the review shows an image that is about to be uploaded', async () => {
  holding();
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture');
  const { press, choose } = await open('file');
  await choose(new File(['x'], 'view.png', { type: 'image/png' }));
  await press('Next');
  await press('Next');
  await waitFor(() => expect(document.querySelector('img[src="blob:picture"]')).not.toBeNull());
  vi.restoreAllMocks();
});
