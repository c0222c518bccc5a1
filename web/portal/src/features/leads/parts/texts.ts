/** Texts of a lead's details, apart from those that Home loads with the temperatures. The wording of the errors is fixed. */
import { count } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';

export const leadDetailTexts = {
  topPlaylists: 'Top 3 playlists',
  topContent: 'Top 3 content',
  lastDays: 'Last 28 days',
  nothing: 'Nothing in the last 28 days.',
  itemErrors: { playlists: 'Error loading playlist.', content: commonTexts.contentError },
  viewCount: (views: number) => (views === 1 ? '1 view' : `${count(views)} views`),
  details: 'Details',
  notFound: 'This person is no longer a lead.',
  leadSince: 'Lead since',
  emptyDetails: (amount: number) => `+${count(amount)} empty`,

  why: 'Why this score',
  whyHint:
    'Points are given for what the person does, and halve every 28 days. The score rises quickly at first, and ever more slowly toward 100.',
  thresholds: 'Hot from 50, warm from 25. A lead only cools down once the score is 5 points lower.',
  noReasons: 'Nothing has given points yet.',
  showReasons: (amount: number) => `Show all ${count(amount)}`,
  nowWorth: (points: string) => `now ${points}`,
  points: (points: string) => `+${points}`,
  reasons: {
    activeDay: () => 'Was active on this day',
    coverage: (title: string) => `Watched a new part of ${title}`,
    seenAgain: (title: string) => `Came back to ${title} on another day`,
    download: (title: string) => `Downloaded ${title}`,
    contact: (title: string) => `Opened the contact details of ${title}`,
  },
} as const;
