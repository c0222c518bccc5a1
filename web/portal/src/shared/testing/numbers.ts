/** Numbers of the mock server: an organisation in which nothing has happened yet, and answers with figures. */
import type {
  ContentAnalyticsOut,
  DashboardOut,
  LeadExplanationOut,
  LeadOut,
  LeadsSummaryOut,
  List,
  OverviewOut,
  PlaylistAnalyticsOut,
  RecentActivityOut,
  SeriesOut,
  TopContentOut,
  UsersSummaryOut,
  VerdictsOut,
} from '@vitrine/api';
import { HttpResponse, http } from 'msw';

const timeZone = 'UTC';

/** The organisation of the fixtures; the same as in server.ts, which imports this file. */
const ORG = '019a0000-0000-7000-8000-000000000001';

export const noOverview: OverviewOut = {
  timeZone,
  views: 0,
  watchTimeMs: 0,
  lateWatchTimeMs: 0,
  previous: { views: 0, watchTimeMs: 0 },
  days: [],
  topContent: [],
  topPlaylists: [],
  hours: [],
};

export const noLeads: LeadsSummaryOut = { timeZone, newLeads: 0, previous: 0, days: [], hot: [] };
export const noPeople: UsersSummaryOut = { timeZone, newPeople: 0, previous: 0, days: [] };

/** The item that was watched. */
const tour: TopContentOut = {
  id: 'tour',
  title: 'Studio tour',
  previewUrl: '',
  kind: 'video',
  durationMs: 200_000,
  waveformUrl: '',
  views: 3,
  watchTimeMs: 690_000,
};

/** Two days with three views, a third more than before. */
export const overview: OverviewOut = {
  timeZone,
  views: 4,
  watchTimeMs: 750_000,
  lateWatchTimeMs: 75_000,
  previous: { views: 3, watchTimeMs: 1_500_000 },
  days: [
    { time: '2026-11-19T00:00:00.000Z', views: 1, watchTimeMs: 150_000 },
    { time: '2026-11-20T00:00:00.000Z', views: 3, watchTimeMs: 600_000 },
  ],
  topContent: [tour],
  topPlaylists: [
    { id: 'basics', title: 'Safety basics', previewUrl: '', itemPreviews: [], views: 4, watchTimeMs: 750_000 },
  ],
  hours: [
    { weekday: 0, hour: 9, watchTimeMs: 150_000 },
    { weekday: 4, hour: 20, watchTimeMs: 600_000 },
  ],
};

export const verdicts: VerdictsOut = {
  timeZone,
  counted: 4,
  notCounted: [
    { reason: 'tooShort', views: 3 },
    { reason: 'staff', views: 1 },
    { reason: 'cap', views: 0, watchTimeMs: 90_000 },
  ],
};

export const series: SeriesOut = {
  timeZone,
  total: 750_000,
  data: [
    { time: '2026-11-19T00:00:00.000Z', value: 150_000 },
    { time: '2026-11-20T00:00:00.000Z', value: 600_000 },
  ],
};

export const contentReport: ContentAnalyticsOut = {
  timeZone,
  id: 'tour',
  title: 'Studio tour',
  previewUrl: '',
  kind: 'video',
  durationMs: 200_000,
  views: 5,
  uniques: 12,
  watchTimeMs: 690_000,
  averageShare: 0.625,
  finishRate: 0.5,
  previous: { views: 5, watchTimeMs: 0 },
  days: overview.days,
  retention: Array.from({ length: 100 }, (_, part) => ({ people: part < 50 ? 4 : 2, plays: part < 50 ? 6 : 3 })),
  devices: [
    { name: 'mobile', people: 3 },
    { name: 'desktop', people: 9 },
  ],
  countries: [{ code: 'NO', name: 'Norway', people: 4 }],
};

export const playlistReport: PlaylistAnalyticsOut = {
  timeZone,
  id: 'basics',
  title: 'Safety basics',
  previewUrl: '',
  views: 4,
  uniques: 3,
  watchTimeMs: 750_000,
  finishRate: null,
  previous: { views: 2, watchTimeMs: 375_000 },
  days: overview.days,
  devices: [],
  countries: [],
  content: [{ ...tour, finishRate: 0.5 }],
};

export function lead(userId: string, fields: Partial<LeadOut> = {}): LeadOut {
  return {
    userId,
    orgId: ORG,
    score: 62,
    temperature: 'hot',
    lastModified: '2026-11-20T10:00:00.000Z',
    lastSeen: '2026-11-20T10:00:00.000Z',
    timeCreated: '2026-11-02T10:00:00.000Z',
    ...fields,
  };
}

export const leadDetail: LeadExplanationOut = {
  lead: lead('victor'),
  reasons: [
    {
      cause: 'contact',
      points: 25,
      current: 24.4,
      time: '2026-11-19T10:00:00.000Z',
      playlistId: 'basics',
      playlistTitle: 'Safety basics',
    },
    {
      cause: 'coverage',
      points: 20,
      current: 19.6,
      time: '2026-11-18T10:00:00.000Z',
      contentId: 'tour',
      contentTitle: 'Studio tour',
    },
    { cause: 'activeDay', points: 3, current: 2.9, time: '2026-11-18T10:00:00.000Z' },
  ],
};

export const activity: List<RecentActivityOut> = {
  data: [
    {
      userId: 'victor',
      displayName: 'Victor Fan',
      type: 'view',
      time: '2026-11-20T10:00:00.000Z',
      contentId: 'tour',
      contentTitle: 'Studio tour',
    },
    { userId: 'victor', displayName: 'Victor Fan', type: 'visit', time: '2026-11-20T09:59:00.000Z' },
  ],
};

/** The calls of Home, in an organisation in which nothing has happened yet. */
export const numberHandlers = [
  http.get('*/v1/analytics/overview', () => HttpResponse.json(noOverview)),
  http.get('*/v1/analytics/leads/summary', () => HttpResponse.json(noLeads)),
  http.get('*/v1/organizations/:id/users/summary', () => HttpResponse.json(noPeople)),
  http.get('*/v1/analytics/activity', () => HttpResponse.json({ data: [] })),
  http.get('*/v1/content', () => HttpResponse.json({ data: [] })),
  http.get('*/v1/accounts', () =>
    HttpResponse.json({ status: 404, code: 'not_found', message: 'No account' }, { status: 404 }),
  ),
];

/** Answers of the reports with figures. */
export const reportHandlers = [
  http.get('*/v1/analytics/overview', () => HttpResponse.json(overview)),
  http.get('*/v1/analytics/verdicts', () => HttpResponse.json(verdicts)),
  http.get('*/v1/analytics/watch_time', () => HttpResponse.json(series)),
  http.get('*/v1/analytics/content/tour', () => HttpResponse.json(contentReport)),
  http.get('*/v1/analytics/playlists/basics', () => HttpResponse.json(playlistReport)),
];

/** The dashboard of an organisation in which nothing was watched. */
export const noDashboard: DashboardOut = {
  totalStats: { views: 0, watchTimeMs: 0 },
  popularContent: [],
  playlists: [],
  content: [],
};
