import type { ContentOut } from '@vitrine/api';
import { expect, test } from 'vitest';
import { ORG } from '~/shared/testing/server.ts';
import { changesOf, contentOf, contentRules, emptyForm, formOf, isProcessing, nextPage, titleOfFile } from './model.ts';

const stored: ContentOut = {
  uid: 'c',
  orgId: ORG,
  title: 'Tour',
  description: '',
  timeCreated: '',
  timeModified: '',
  previewUrl: 'http://127.0.0.1:8080/media/grant/poster.jpg',
  privacy: 'public',
  type: 'native',
  kind: 'video',
  url: 'http://127.0.0.1:8080/media/grant/source',
  file: null,
  durationMs: null,
  processing: 'done',
  hlsUrl: '',
  storyboardUrl: '',
  waveformUrl: '',
  captions: [],
  downloadable: false,
  stats: { views: 0, watchTimeMs: 0 },
};

test('hide from public means private', () => {
  expect(contentOf({ ...emptyForm, title: ' A ' }, 'file')).toEqual({
    title: 'A',
    description: '',
    previewUrl: '',
    privacy: 'public',
  });
  expect(contentOf({ ...emptyForm, hidden: true }, 'file').privacy).toBe('private');
});

test('only an embedded video sends an address', () => {
  expect(contentOf({ ...emptyForm, url: ' https://youtu.be/x ' }, 'url').url).toBe('https://youtu.be/x');
  expect(contentOf({ ...emptyForm, url: 'https://youtu.be/x' }, 'file')).not.toHaveProperty('url');
});

test('an edit sends what changed, and a signed poster is never sent back as a thumbnail', () => {
  const form = formOf(stored);
  expect(form.previewUrl).toBe('');
  expect(changesOf(form, stored)).toEqual({});
  expect(changesOf({ ...form, title: 'New', hidden: true }, stored)).toEqual({ title: 'New', privacy: 'private' });
});

test('a title is required and a video address is checked', () => {
  expect([contentRules.title(' '), contentRules.url('x'), contentRules.url('https://youtu.be/x')]).toEqual([
    'Title is required',
    'URL is invalid.',
    null,
  ]);
});

test('a file name becomes a title', () => {
  const titles = ['my_first-video.final.mp4', 'v9.mov', 'README', 'iPhone-tour.mp4', 'élan.pdf', '9 lives.mp3'].map(
    titleOfFile,
  );
  expect(titles).toEqual(['My first video.final', 'V9', 'README', 'iPhone tour', 'Élan', '9 lives']);
});

test('drafts and queued items are polled', () => {
  expect([
    isProcessing({ type: 'draft', processing: 'none' }),
    isProcessing({ type: 'native', processing: 'queued' }),
    isProcessing({ type: 'native', processing: 'failed' }),
  ]).toEqual([true, true, false]);
});

test('a page of ten is the last one, a longer one has a next page', () => {
  const page = (length: number) => Array.from({ length }, (_, index) => ({ uid: `p${index}` }));
  expect(nextPage(page(10))).toBeUndefined();
  expect(nextPage(page(11))).toBe('p10');
});
