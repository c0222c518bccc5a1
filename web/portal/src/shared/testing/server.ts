/** A typed mock of the API with one organisation and one person; tests override what they need. */
import type {
  ConfigOut,
  List,
  MembershipOut,
  OrganisationOut,
  PlanOut,
  PlaylistOut,
  ProfileOut,
  Role,
  SessionOut,
} from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { identityHandlers, tokenOf } from './identity.ts';
import { numberHandlers } from './numbers.ts';

export const ORG = '019a0000-0000-7000-8000-000000000001';

export const profile: ProfileOut = {
  uid: 'person',
  displayName: 'Ada Byron',
  email: 'ada@example.com',
  phoneNumber: '+44 20 7946 0123',
  photoURL: '',
  firstName: 'Ada',
  lastName: 'Byron',
  company: 'Northwind',
  linkedIn: '',
  address: null,
  country: 'GB',
  jobTitle: '',
  businessArea: '',
  timeCreated: '2026-11-01T10:00:00.000Z',
};

export const session: SessionOut = { accessToken: 'token', expiresIn: 3600, isNew: false, profile };

/** The response to a sign-in of this person. */
export function sessionOf(person: string, fields: Partial<SessionOut> = {}): SessionOut {
  return { ...session, accessToken: tokenOf(person), profile: { ...profile, uid: person }, ...fields };
}

export function membership(role: Role, uid = ORG, name = 'Northwind'): MembershipOut {
  return {
    uid: `membership-${uid}-${role}`,
    userId: profile.uid,
    timeCreated: profile.timeCreated,
    role,
    organisation: {
      id: uid,
      uid,
      name,
      description: '',
      logoUrl: '',
      privacy: 'public',
      state: 'active',
      timeZone: 'UTC',
    },
  };
}

export const organisation: OrganisationOut = {
  uid: ORG,
  id: ORG,
  name: 'Northwind',
  description: '',
  logoUrl: '',
  website: '',
  publicJoinUrl: null,
  privacy: 'public',
  defaultPlaylist: null,
  pinnedPlaylists: [],
  theme: { backgroundUrl: '', primaryColor: '#1c1430', secondaryColor: '#fb761c', brandTextColor: '#ffffff' },
  contact: { email: '', phoneNumber: '' },
  timeZone: 'UTC',
  state: 'active',
  assignableRoles: ['superAdmin', 'accountAdmin', 'manager', 'teamLeader', 'teamUser'],
  timeCreated: profile.timeCreated,
  timeModified: profile.timeCreated,
};

export function playlist(uid: string, title: string, fields: Partial<PlaylistOut> = {}): PlaylistOut {
  return {
    uid,
    id: uid,
    orgId: ORG,
    title,
    description: '',
    previewUrl: '',
    itemPreviews: [],
    privacy: 'public',
    contact: { email: '', phoneNumber: '' },
    items: [],
    stats: { watchTimeMs: 0, contentCount: 0 },
    timeCreated: profile.timeCreated,
    timeModified: profile.timeCreated,
    ...fields,
  };
}

/** A plan that can be bought. */
export function plan(id: string, title: string, fields: Partial<PlanOut> = {}): PlanOut {
  const limits = { storageBytes: 250 * 1024 ** 3, fileBytes: null, staffSeats: 5, appUsers: 1000, analyticsMonths: 13 };
  return { id, title, interval: 'month', price: { amount: 4900, currency: 'usd' }, limits, ...fields };
}

export const list = <T>(data: T[]) => HttpResponse.json<List<T>>({ data });

/** An error response. */
export const problem = (status: number, message: string) =>
  HttpResponse.json({ status, code: 'test', message }, { status });

/** Gives the signed-in person these memberships. */
export const belongsTo = (...memberships: MembershipOut[]) =>
  http.get('*/v1/profiles/roles/detailed', () => list(memberships));

export const config: ConfigOut = {
  publicUrl: 'http://127.0.0.1:8080',
  sandbox: true,
  environment: 'development',
  billing: 'sandbox',
  pricingUrl: 'http://127.0.0.1:8080/pricing',
  termsUrl: 'http://127.0.0.1:8080/terms',
  privacyUrl: 'http://127.0.0.1:8080/privacy',
  contactUrl: 'http://127.0.0.1:8080/contact',
  helpUrl: 'http://127.0.0.1:8080/help',
  version: '2.2.4',
};

export const server = setupServer(
  http.get('*/v1/config', () => HttpResponse.json(config)),
  http.get('*/v1/plans', () =>
    list([
      plan('essentials-monthly', 'Essentials Monthly'),
      plan('professional-annual', 'Professional Annual', {
        interval: 'year',
        price: { amount: 199_000, currency: 'usd' },
      }),
    ]),
  ),
  http.get('*/v1/accounts/:id/deletedOrganizations', () => list([])),
  http.get('*/v1/accounts/:id/managers', () => list([])),
  http.get('*/v1/accounts/:id/invoices', () => HttpResponse.json({ data: [], card: null })),
  http.get('*/v1/profiles', () => HttpResponse.json(profile)),
  http.post('*/v1/content/embeds/lookup', () => HttpResponse.json({ title: null })),
  http.get('*/v1/organizations', () => list([organisation])),
  http.get('*/v1/organizations/:id/invites', () => list([])),
  http.get('*/v1/viewer/organizations', () => list([])),
  http.get('*/v1/organizations/:id/users/me/emails', () =>
    HttpResponse.json({ hotLeads: false, weeklySummary: false }),
  ),
  ...numberHandlers,
  belongsTo(membership('superAdmin')),
  ...identityHandlers,
);
