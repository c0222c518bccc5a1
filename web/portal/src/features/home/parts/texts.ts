/** Texts of what Home loads after its first paint. */
import { count, plural } from '~/shared/lib/format.ts';

export const insightTexts = {
  lastDays: 'Last 28 days',
  before: 'the 28 days before',
  toAnalytics: 'Open analytics',
  views: 'Views',
  watchTime: 'Watch time',
  newPeople: 'New people',
  newLeads: 'New leads',

  attention: 'Needs attention',
  allWell: 'Nothing needs your attention.',
  processing: (amount: string, one: boolean) => `Processing failed for ${amount} ${one ? 'item' : 'items'}`,
  processingHint: (title: string, more: string) => (more === '' ? title : `${title} and ${more} more`),
  storageFull: 'Storage is full',
  storageNearly: (share: string) => `${share} of the storage is used`,
  storageHint: (used: string, allowed: string) => `${used} of ${allowed}`,
  invites: (amount: string, one: boolean) =>
    one ? '1 invitation is not answered' : `${amount} invitations are not answered`,
  invitesExpired: (amount: number) => `${plural(amount, 'invitation')} expired`,

  hotLeads: 'Hot leads',
  noHot: 'No hot leads right now',
  noHotHint: 'People who watch a lot appear here.',
  toLeads: 'All leads',
  seen: 'Last seen',

  activity: 'Recent activity',
  noActivity: 'No activity yet',
  noActivityHint: 'What people who agreed to share their activity do appears here.',
  activities: {
    visit: () => 'opened the app',
    view: (title: string) => `watched ${title}`,
    download: (title: string) => `downloaded ${title}`,
    contact: (title: string) => `opened the contact details of ${title}`,
  },
} as const;

/** Texts of the steps of the first hour. */
export const stepTexts = {
  title: (done: number, all: number) => `First steps: ${count(done)} of ${count(all)} done`,
  hide: 'Hide',
  done: ' (done)',
  steps: {
    brand: { what: 'Add your logo and colors', button: 'Set up' },
    playlist: { what: 'Create your first playlist', button: 'Create' },
    upload: { what: 'Upload your first content', button: 'Upload' },
    link: { what: 'Get your joining link', button: 'Get link' },
    colleague: { what: 'Invite a colleague', button: 'Invite' },
  },
} as const;
