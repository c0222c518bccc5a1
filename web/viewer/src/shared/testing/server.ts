/** A typed mock of the API: one person, one organisation to join, its playlists. Tests override single calls. */
import type {
  ContentOut,
  JoinedOrganisationOut,
  JoinPageOut,
  OpenSessionOut,
  OwnConsentsOut,
  PlaylistOut,
  ProfileOut,
  ProgressOut,
  SessionOut,
  ThemeOut,
} from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

const TIME = '2026-11-20T06:41:00.000Z';

/** An access token for the person with this uid. */
export function tokenOf(uid: string, issuedAt = Date.now()): string {
  return `h.${btoa(JSON.stringify({ sub: uid, iat: Math.floor(issuedAt / 1000) }))}.s`;
}

/** A profile; new people have no name yet. */
export function profile(given: Partial<ProfileOut> = {}): ProfileOut {
  return {
    uid: 'ann',
    displayName: '',
    email: 'ann@example.com',
    phoneNumber: '',
    photoURL: '',
    firstName: '',
    lastName: '',
    company: '',
    linkedIn: '',
    country: '',
    address: null,
    jobTitle: '',
    businessArea: '',
    timeCreated: TIME,
    ...given,
  };
}

const theme: ThemeOut = {
  backgroundUrl: '',
  primaryColor: '#1c1430',
  secondaryColor: '#fb761c',
  brandTextColor: '#ffffff',
};

/** The organisation's public details and notice. */
export const joinable: JoinPageOut = {
  organisation: { uid: 'north', name: 'Northwind Media', description: 'News from the north', logoUrl: '', theme },
  notice: { version: '2026-11', text: 'We would like to see what you watch.\n\nYou may say no.' },
  invitedEmail: null,
  glimpse: [],
};

/** The organisation after joining. */
export function joined(given: Partial<JoinedOrganisationOut> = {}): JoinedOrganisationOut {
  return {
    ...joinable.organisation,
    pinnedPlaylists: [],
    defaultPlaylist: null,
    access: true,
    suspended: false,
    member: true,
    role: 'user',
    consent: true,
    ...given,
  };
}

/** A playlist of the organisation. */
export function playlist(uid: string, given: Partial<PlaylistOut> = {}): PlaylistOut {
  return {
    uid,
    id: uid,
    orgId: 'north',
    title: `Playlist ${uid}`,
    description: '',
    previewUrl: '',
    itemPreviews: [],
    privacy: 'public',
    contact: { email: '', phoneNumber: '' },
    items: [],
    stats: { watchTimeMs: 0, contentCount: 1 },
    timeCreated: TIME,
    timeModified: TIME,
    ...given,
  };
}

/** A content item. */
export function content(uid: string, given: Partial<ContentOut> = {}): ContentOut {
  return {
    uid,
    orgId: 'north',
    title: `Item ${uid}`,
    description: '',
    timeCreated: TIME,
    timeModified: TIME,
    previewUrl: '',
    privacy: 'public',
    type: 'native',
    kind: 'file',
    url: `http://127.0.0.1:8080/media/${uid}/source`,
    file: null,
    durationMs: null,
    processing: 'done',
    hlsUrl: '',
    storyboardUrl: '',
    waveformUrl: '',
    captions: [],
    downloadable: given.kind === undefined || given.kind === 'file' || given.kind === 'pdf',
    stats: { views: 0, watchTimeMs: 0 },
    ...given,
  };
}

/** What Home shows a person who returns. */
export function progress(given: Partial<ProgressOut> = {}): ProgressOut {
  return { lastVisit: null, items: [], continueWatching: [], newItems: [], ...given };
}

/** An error response. */
export function problem(status: number, message: string) {
  return refusal(status, 'refused', message);
}

/** An error response with a code. */
export function refusal(status: number, code: string, message: string) {
  return HttpResponse.json({ status, code, message }, { status });
}

/** The answer to a sign-in of a new person. */
export function signedIn(given: Partial<ProfileOut> = {}): SessionOut {
  return { accessToken: tokenOf('ann'), expiresIn: 3600, isNew: true, profile: profile(given) };
}

/** A session of the person. */
export function openSession(uid: string, given: Partial<OpenSessionOut> = {}): OpenSessionOut {
  return {
    uid,
    device: 'Firefox on Linux',
    place: '',
    app: 'viewer',
    current: false,
    timeCreated: TIME,
    timeLastSeen: TIME,
    ...given,
  };
}

/** The person's answers to the notice: yes. */
export const ownConsents: OwnConsentsOut = {
  data: [{ uid: 'first', consent: true, noticeVersion: '2026-11-20', method: 'join', timeCreated: TIME }],
  notice: { version: '2026-11-20', text: 'We would like to see what you watch.\n\nYou may say no.' },
};

/** The default handlers. */
export const server = setupServer(
  http.get('*/v1/join/good', () => HttpResponse.json(joinable)),
  http.get('*/v1/join/:code', () => problem(404, 'This joining link is not valid.')),
  http.post('*/v1/auth/magic-links', () => HttpResponse.json({}, { status: 202 })),
  http.post('*/v1/auth/magic-links/redeem', async ({ request }) => {
    const { code } = (await request.json()) as { code: string };
    if (code !== 'code') return problem(400, 'The sign-in link is invalid or has expired.');
    return HttpResponse.json(signedIn());
  }),
  http.post('*/v1/auth/magic-links/redeem-code', async ({ request }) => {
    const { code } = (await request.json()) as { code: string };
    if (code !== '123456') return refusal(400, 'wrong_code', 'This code is not right.');
    return HttpResponse.json(signedIn());
  }),
  http.get('*/v1/auth/sessions', () => HttpResponse.json({ data: [openSession('here', { current: true })] })),
  http.get('*/v1/organizations/:id/users/me/consent', () => HttpResponse.json(ownConsents)),
  http.get('*/v1/organizations/:id/users/me/announcements', () => HttpResponse.json({ emails: true })),
  http.post('*/v1/auth/refresh', () => problem(401, 'Missing or invalid identity token')),
  http.post('*/v1/auth/sign-out', () => new HttpResponse(null, { status: 204 })),
  http.get('*/v1/profiles', () => HttpResponse.json(profile({ firstName: 'Ann', lastName: 'Lee' }))),
  http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [joined()] })),
  http.get('*/v1/playlists', () => HttpResponse.json({ data: [playlist('one')] })),
  http.get('*/v1/organizations/:id/users/me/progress', () => HttpResponse.json(progress())),
  http.put('*/v1/organizations/:id/users/me/progress', () => new HttpResponse(null, { status: 204 })),
  http.post('*/v1/events', () => HttpResponse.json({ accepted: 1, rejected: [] }, { status: 202 })),
);
