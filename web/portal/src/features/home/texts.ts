/** Texts of Home that its first paint shows. The wording of the first block is fixed. */
import { plural } from '~/shared/lib/format.ts';

export const homeTexts = {
  /** Without a name while it loads, and if it cannot be loaded. */
  welcome: (name: string) => (name === '' ? 'Welcome!' : `Welcome, ${name}!`),
  contentViews: 'Content views',
  watchTime: 'Watch time',
  popular: 'Most popular content',

  popularPeriod: 'Views of the last 28 days',
  allTime: 'All time',
  views: (amount: number) => plural(amount, 'view'),
  nothingWatched: 'Nothing has been watched yet',
  nothingWatchedHint: 'Your most viewed content appears here once people start watching.',
  nothingPopular: 'Nothing popular in the last 28 days',
  nothingPopularHint: 'Content appears here once people watch it again.',
  toContent: 'Go to content',
} as const;
