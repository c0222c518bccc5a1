import { expect, it } from 'vitest';
import { chaptersOf } from './chapters.ts';

it('reads chapters from the lines that begin with a time', () => {
  const { chapters, text } = chaptersOf(
    'All about P-200.\n\n0:00 Welcome\n(1:05) - Set up\n1:00:10 Questions\n\nSee you!',
  );
  expect(chapters).toEqual([
    { atMs: 0, title: 'Welcome' },
    { atMs: 65_000, title: 'Set up' },
    { atMs: 3_610_000, title: 'Questions' },
  ]);
  expect(text).toBe('All about P-200.\n\nSee you!');
});

it('leaves a description alone that only mentions times', () => {
  for (const description of [
    '',
    '10:30 Doors open',
    '9:00 Start\n8:00 Breakfast',
    'At 1:05 it gets exciting\nand at 2:10',
  ]) {
    expect(chaptersOf(description)).toEqual({ chapters: [], text: description });
  }
});
