/** Texts of Home and Analytics. The wording of the first block is fixed. */
import { plural } from '~/shared/lib/format.ts';

export const analyticsTexts = {
  welcome: (name: string) => `Welcome, ${name}!`,
  contentViews: 'Content views',
  watchTime: 'Watch time',
  popular: 'Most popular content',
  reports: 'Reports',
  contentError: 'There was an error loading this content.',
  ranges: { '7d': 'Last 7 days', '30d': 'Last 30 days', '3m': 'Last 3 months', '12m': 'Last 12 months' },
  units: { days: 'Days', weeks: 'Weeks', months: 'Months', years: 'Years' },

  allTime: 'All time',
  dateRange: 'Date range',
  interval: 'Interval',
  views: (amount: number) => plural(amount, 'view'),
  minutes: (minutes: number | string) => `${minutes} min`,
  minutesSeries: 'Minutes',
  chartCaption: (title: string) => `${title}, in minutes`,
  zone: (zone: string) => `Days follow the time zone ${zone}`,
  nothingWatched: 'Nothing has been watched yet',
  nothingWatchedHint: 'Your most viewed content appears here once people start watching.',
  toContent: 'Go to content',
} as const;
