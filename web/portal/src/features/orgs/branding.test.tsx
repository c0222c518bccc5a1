/** Logo, wallpaper and colors of an organisation, and the previews of its app. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { OrganisationOut, PlaylistOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test, vi } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, organisation, playlist, problem, server } from '~/shared/testing/server.ts';

vi.mock('~/shared/upload/hash.ts', () => ({ hashFile: async () => 'md5' }));
vi.mock('~/shared/ui/image-cropper.tsx', () => import('~/shared/testing/image-cropper.tsx'));

/** Opens the settings of an organisation with these playlists, or with a failure to list them. */
async function openSettings(fields: Partial<OrganisationOut> = {}, playlists: PlaylistOut[] = [], failure = 0) {
  const asked: string[] = [];
  server.use(
    http.get('*/v1/organizations', () => list([{ ...organisation, ...fields }])),
    http.get('*/v1/playlists', ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.toString());
      if (failure !== 0) return problem(failure, 'You do not have permission to do this.');
      return list(playlists.filter(({ privacy }) => privacy === 'public' || query.get('public') !== 'true'));
    }),
    http.get('*/v1/playlists/:id', ({ params }) => {
      const found = playlists.find(({ uid }) => uid === params.id);
      return found === undefined ? problem(404, 'Playlist not found') : Response.json(found);
    }),
  );
  const rendered = renderAt(`/org/${ORG}/profile`);
  await screen.findByLabelText('Strapline');
  return { ...rendered, asked };
}

/** An image in a list of files, as an event brings it. */
const files = (name: string, type = 'image/png') => ({ files: [new File(['x'], name, { type })] });

test('a logo is cropped, then uploaded, and the form waits for it', async () => {
  const names: string[] = [];
  let fail: () => void = () => undefined;
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  server.use(
    http.post('*/v1/uploads', async ({ request }) => {
      names.push(((await request.json()) as { file: { name: string } }).file.name);
      await failed;
      return problem(400, 'File type is not supported.');
    }),
  );
  const { user } = await openSettings();
  fireEvent.change(screen.getByLabelText('Logo'), { target: files('logo.png') });
  expect(await screen.findByRole('dialog', { name: 'Crop logo' })).toBeVisible();
  expect(names).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Use image' }));
  expect(await screen.findByRole('button', { name: 'Waiting for the image' })).toBeDisabled();
  fail();
  expect(await screen.findByText('File type is not supported.')).toBeVisible();
  expect(names).toEqual(['cropped-logo.png']);
});

test('an image can be dropped and pasted, and other files are refused', async () => {
  await openSettings();
  const zone = screen.getByLabelText('Background wallpaper').parentElement as HTMLElement;
  fireEvent.drop(zone, { dataTransfer: files('notes.pdf', 'application/pdf') });
  expect(await screen.findByText('File type is not supported.')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.paste(zone, { clipboardData: files('shot.png') });
  expect(await screen.findByRole('dialog', { name: 'Crop background wallpaper' })).toBeVisible();
});

test('an image is pasted into the field under the pointer, without focus', async () => {
  await openSettings();
  const zone = screen.getByLabelText('Logo').parentElement as HTMLElement;
  expect(within(zone).getByText('Drop an image, or point here and paste')).toBeInTheDocument();
  fireEvent.paste(document.body, { clipboardData: files('shot.png') });
  fireEvent.pointerEnter(zone);
  fireEvent.pointerLeave(zone);
  fireEvent.paste(document.body, { clipboardData: files('shot.png') });
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.pointerEnter(zone);
  fireEvent.paste(document.body, { clipboardData: files('shot.png') });
  expect(await screen.findByRole('dialog', { name: 'Crop logo' })).toBeVisible();
});

test('both images have their hint, their shape and buttons of different names', async () => {
  const { user } = await openSettings({ logoUrl: 'http://127.0.0.1:8080/images/logo' });
  expect(screen.getByRole('button', { name: 'Replace logo' })).toHaveAccessibleDescription('1:1 recommended');
  const wallpaper = screen.getByRole('button', { name: 'Choose image: background wallpaper' });
  expect(wallpaper).toHaveAccessibleDescription('2:3 recommended');
  expect(screen.getByRole('button', { name: 'Remove logo' })).toBeVisible();
  for (const [label, shape] of [
    ['Logo', '1:1'],
    ['Background wallpaper', '2:3'],
  ] as const) {
    fireEvent.change(screen.getByLabelText(label), { target: files('a.png') });
    const crop = within(await screen.findByRole('dialog', { name: `Crop ${label.toLowerCase()}` }));
    expect(crop.getByText(shape)).toBeVisible();
    await user.click(crop.getByRole('button', { name: 'Cancel crop' }));
  }
});

test('colors that cannot be read are shown as the app corrects them', async () => {
  await openSettings();
  fireEvent.change(screen.getByLabelText('Background'), { target: { value: '#ffffff' } });
  const note = /The text color is hard to read on this background, so the app shows #18181e/;
  // Not at each step of a picker.
  expect(screen.queryByText(note)).toBeNull();
  expect(await screen.findByText(note)).toBeVisible();
  fireEvent.change(screen.getByLabelText('Text color'), { target: { value: '#000000' } });
  await waitFor(() => expect(screen.queryByText(/The text color is hard to read/)).toBeNull());
});

/** The texts of the home screen's preview. */
const home = async () => {
  const figure = within(await screen.findByText('Home screen').then((caption) => caption.parentElement as HTMLElement));
  return (texts: string[]) => waitFor(() => texts.map((text) => figure.getByText(text)));
};

test('two phones preview the app, and an empty app is shown as empty', async () => {
  await openSettings({ pinnedPlaylists: ['gone'] });
  expect(document.querySelectorAll('figure')).toHaveLength(2);
  expect(screen.getByText('Joining page')).toBeInTheDocument();
  await (await home())(['Nothing to watch yet', 'Refresh']);
  expect(screen.queryByText('Pinned')).toBeNull();
});

/** A playlist with items. */
const filled = (uid: string, title: string, fields: Partial<PlaylistOut> = {}) =>
  playlist(uid, title, { stats: { watchTimeMs: 0, contentCount: 3 }, ...fields });

const phone = (name: string) => screen.getByText(name).parentElement as HTMLElement;

test('the preview has what the app will show: public playlists, the pinned ones first', async () => {
  const { asked } = await openSettings({ pinnedPlaylists: ['p', 'u', 'gone', 'q'] }, [
    playlist('a', 'Secret', { privacy: 'private' }),
    playlist('u', 'By link only', { privacy: 'unlisted' }),
    filled('l', 'Later', { publishAt: '2126-01-01T00:00:00.000Z' }),
    filled('o', 'Over', { expireAt: '2020-01-01T00:00:00.000Z' }),
    filled('b', 'Newest', { description: 'Just out' }),
    filled('q', 'Second pin'),
    filled('p', 'First of all'),
  ]);
  await (await home())(['Open', 'First of all', 'Pinned', 'Second pin', 'All playlists', 'Newest', 'Just out']);
  for (const hidden of ['Secret', 'By link only', 'Later', 'Over', 'Nothing to watch yet'])
    expect(screen.queryByText(hidden)).toBeNull();
  const sections = [...phone('Home screen').querySelectorAll('section')].map(({ textContent }) => textContent);
  expect(sections).toEqual(['PinnedSPSecond pin3 items', 'All playlistsNNewestJust out3 items']);
  expect(asked).toEqual([`orgId=${ORG}&public=true&limit=20`]);
});

test('the preview draws playlists and the navigation as the app does', async () => {
  const itemPreviews = ['a', 'b', 'c'].map((name) => `https://v.example/${name}.png`);
  await openSettings({ pinnedPlaylists: ['p'] }, [
    filled('p', 'First of all'),
    filled('m', 'Mosaic', { itemPreviews }),
  ]);
  await (await home())(['Mosaic']);
  const card = within(phone('Home screen')).getByText('Mosaic').closest('li') as HTMLElement;
  expect([...card.querySelectorAll('img')].map(({ src }) => src)).toEqual(itemPreviews);
  const bar = phone('Home screen').querySelector('header')?.nextElementSibling?.nextElementSibling;
  expect([...(bar?.children ?? [])].map(({ textContent }) => textContent)).toEqual(['Home', 'Search', 'Me']);
  expect(bar?.querySelector('[aria-current=page]')).toHaveTextContent('Home');
  expect(phone('Home screen').querySelectorAll('header svg')).toHaveLength(0);
});

test.each(['public', 'unlisted', 'private'] as const)(
  'the joining page of an organization that is %s',
  async (privacy) => {
    await openSettings({ pinnedPlaylists: ['p'], privacy }, [
      ...['a', 'b', 'c', 'd'].map((name) => filled(name, `Playlist ${name}`)),
      playlist('e', 'Empty'),
      filled('p', 'First of all'),
    ]);
    await (await home())(['First of all']);
    const shown = [...phone('Joining page').querySelectorAll('li')].map(({ textContent }) => textContent);
    const inside = ['FOFirst of all', 'PAPlaylist a', 'PBPlaylist b', 'PCPlaylist c'].map((title) => `${title}3 items`);
    expect(shown).toEqual(privacy === 'public' ? inside : []);
  },
);

test('playlists that fail to load are reported below the previews, and can be loaded again', async () => {
  const { user } = await openSettings({ pinnedPlaylists: ['gone'] }, [], 403);
  const failure = await screen.findByText('Your playlists could not be loaded.');
  expect(failure).toHaveRole('alert');
  expect(screen.queryByText('Nothing to watch yet')).toBeNull();
  server.use(http.get('*/v1/playlists', () => list([filled('b', 'Newest')])));
  await user.click(within(failure).getByRole('button', { name: 'Try again' }));
  await (await home())(['Newest']);
  expect(failure).not.toBeInTheDocument();
});
