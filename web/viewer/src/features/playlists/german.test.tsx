/** The screens of playlists and the player in German. */
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { loadLanguage } from '~/shared/language.ts';
import { fakeMedia } from '~/shared/testing/media.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { content, playlist, server } from '~/shared/testing/server.ts';

beforeEach(async () => {
  fakeMedia();
  await loadLanguage('de');
  signIn();
  const items = [
    content('song', { kind: 'audio', title: 'Lied' }),
    content('sheet', { title: 'Zahlen', file: { name: 'zahlen.xlsx', size: 1536, type: '', checksum: '' } }),
  ];
  server.use(
    http.get('*/v1/playlists/one', () => HttpResponse.json(playlist('one'))),
    http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: items })),
  );
});

it('names what is shown, and the file with its size as it is written in German', async () => {
  openApp('/org/north/playlists/one?item=sheet');
  expect(await screen.findByRole('link', { name: 'Herunterladen' })).toBeVisible();
  expect(screen.getByText('Datei · 1,5 KB')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Teilen' })).toBeVisible();
  expect(screen.getByRole('complementary', { name: 'In dieser Playlist' })).toBeVisible();
  expect(screen.getByRole('main')).not.toHaveTextContent(/Download|File|Share|Home|item/);
});

it('labels the controls of the player', async () => {
  openApp('/org/north/playlists/one');
  await waitFor(() => expect(document.querySelector('media-controller')).toBeInTheDocument());
  const label = (name: string) => document.querySelector(name)?.getAttribute('aria-label');
  expect(label('media-controller')).toBe('Wiedergabe: Lied');
  await waitFor(() => expect(label('media-play-button')).toBe('abspielen'));
  expect(label('media-mute-button')).toMatch(/stumm/i);
});

it('says in German that there is nothing yet', async () => {
  server.use(http.get('*/v1/playlists', () => HttpResponse.json({ data: [] })));
  openApp('/org/north');
  expect(await screen.findByText('Noch nichts zu sehen')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Aktualisieren' })).toBeVisible();
});
