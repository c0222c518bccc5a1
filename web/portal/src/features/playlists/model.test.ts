import { expect, test } from 'vitest';
import { playlist } from '~/shared/testing/server.ts';
import { changesOf, emptyForm, formOf, inOrder, pinChange, playlistOf, playlistRules } from './model.ts';
import { playlistTexts } from './texts.ts';

test('a title is required; contact email and thumbnail are valid or empty', () => {
  expect([playlistRules.title('  '), playlistRules.title('a')]).toEqual(['Title is required', null]);
  expect([playlistRules.email(''), playlistRules.email('x'), playlistRules.email('a@b.co')]).toEqual([
    null,
    'Invalid email!',
    null,
  ]);
  expect(['', 'http://127.0.0.1:8080/images/a', 'picture.png'].map(playlistRules.previewUrl)).toEqual([
    null,
    null,
    'URL is invalid.',
  ]);
});

test('a new playlist is public or private, and its phone loses only the first space', () => {
  const form = { ...emptyForm, title: ' Talks ', phoneNumber: '+44 20 7946' };
  expect(playlistOf(form)).toMatchObject({ title: 'Talks', privacy: 'public', contact: { phoneNumber: '+4420 7946' } });
  expect(playlistOf({ ...form, isPublic: false }).privacy).toBe('private');
  const stored = playlist('p', 'Talks');
  expect(changesOf({ ...formOf(stored), phoneNumber: '+44 20 7946' }, stored).contact).toMatchObject({
    phoneNumber: '+44 20 7946',
  });
});

test('editing sends the privacy only when the toggle was moved, and off means unlisted', () => {
  const hidden = playlist('p', 'Talks', { privacy: 'private' });
  expect(changesOf(formOf(hidden), hidden)).not.toHaveProperty('privacy');
  expect(changesOf({ ...formOf(hidden), isPublic: true }, hidden).privacy).toBe('public');
  const open = playlist('p', 'Talks');
  expect(changesOf({ ...formOf(open), isPublic: false }, open).privacy).toBe('unlisted');
});

test('four can be pinned but not five, only public ones, and unpinning is always allowed', () => {
  const four = ['a', 'b', 'c', 'd'];
  expect(pinChange(['a', 'b', 'c'], { uid: 'd', privacy: 'public' })).toBe('pin');
  expect(pinChange(four, { uid: 'e', privacy: 'public' })).toBe('full');
  expect(pinChange([], { uid: 'e', privacy: 'unlisted' })).toBe('notPublic');
  expect(pinChange([], { uid: 'e', privacy: 'private' })).toBe('notPublic');
  expect(pinChange(four, { uid: 'b', privacy: 'private' })).toBe('unpin');
});

test('a wanted order keeps unknown entries, and restores none', () => {
  expect(inOrder(['a', 'b', 'new'], ['b', 'gone', 'a'])).toEqual(['b', 'a', 'new']);
});

test('the screen is titled after the person, or Your', () => {
  expect([playlistTexts.titleOf('Ada Byron'), playlistTexts.titleOf('')]).toEqual([
    "Ada Byron's Content",
    'Your Content',
  ]);
  expect([playlistTexts.canPinMore(1), playlistTexts.canPinMore(0)]).toEqual([
    'You can pin 1 more playlists',
    'You can pin 0 more playlists',
  ]);
});
