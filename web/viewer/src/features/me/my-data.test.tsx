import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { texts as german } from '~/languages/de.ts';
import { loadLanguage } from '~/shared/language.ts';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { profile, refusal, server } from '~/shared/testing/server.ts';
import { isTime, labelOf, numberOf } from './model.ts';

const TIME = '2026-11-20T06:41:00.000Z';

/** Every field that the server exports. */
const everything = {
  profile: profile({ country: 'NO' }),
  signIn: { emailVerified: true, password: false, providers: ['google'] },
  sessions: [{ app: 'viewer', device: 'Firefox', clientAddress: '::1', timeCreated: TIME, timeLastSeen: TIME }],
  consents: [{ orgId: 'o-1', consent: true, noticeVersion: '2026-11', method: 'join', time: TIME }],
  positions: [
    {
      orgId: 'o-1',
      contentId: 'c-1',
      playlistId: 'p-1',
      position: 125_000,
      length: 754_000,
      timeSeen: null,
      time: TIME,
    },
    { orgId: 'o-1', contentId: 'c-2', playlistId: 'p-1', position: 3, length: 12, timeSeen: null, time: TIME },
  ],
  lastVisits: [{ orgId: 'o-1', time: TIME, timeBefore: null }],
  unsubscribedFrom: [{ orgId: 'o-1', time: TIME }],
  createdContent: [
    { uid: 'c-3', orgId: 'o-1', title: 'My film', timeCreated: TIME },
    { uid: 'c-4', orgId: 'o-1', title: null, timeCreated: TIME },
  ],
  billingAccounts: [
    {
      uid: 'a-1',
      friendlyName: 'Northwind',
      billingName: 'Northwind Ltd',
      billingEmail: 'ann@example.com',
      billingPhone: '1',
      billingAddress: { line1: 'Main St 1', line2: '', city: 'Oslo', state: '', postalCode: '0150', country: 'SE' },
      timeCreated: TIME,
    },
  ],
  auditEntries: [
    { orgId: 'o-1', accountId: null, time: TIME, target: 'c-1', action: 'content.changed' },
    { orgId: 'o-1', accountId: null, time: TIME, target: 'p-9', action: 'playlist.deleted' },
    { orgId: 'o-1', accountId: null, time: TIME, target: 'u-2', action: 'person.blocked' },
  ],
  organizations: [
    {
      orgId: 'o-1',
      name: 'Northwind Films',
      role: 'user',
      timeJoined: TIME,
      consent: true,
      blocked: false,
      history: [{ type: 'view', time: TIME, contentId: 'c-1', playlistId: 'p-1' }],
      watched: [{ hour: TIME, contentId: 'c-1', playlistId: 'p-1', watchTimeMs: 3_661_000, views: 2, visits: 1 }],
      emails: { hotLeads: false, weeklySummary: false },
      leadReasons: [{ cause: 'coverage', item: 'c-1', points: 12.345, time: TIME }],
      lead: { score: 40, temperature: 'warm', timeCreated: TIME, lastSeen: TIME },
    },
  ],
  timeExported: TIME,
  titles: [
    { uid: 'c-1', title: 'The talk', kind: 'video' },
    { uid: 'c-2', title: 'The report', kind: 'pdf' },
    { uid: 'p-1', title: 'Briefings' },
  ],
};

describe('what is stored about a person', () => {
  it('is a readable list', async () => {
    signIn();
    const stored = {
      auditEntries: [],
      profile: { firstName: 'Ann', company: '', timeCreated: '2026-11-20T06:41:00.000Z' },
      signIn: { emailVerified: true, providers: [] },
      consents: [{ consent: true, orgId: 'o-1' }, { consent: false }],
      organizations: [{ orgId: 'o-1', name: 'Northwind Films', history: [{ contentId: 'c-1' }] }],
    };
    server.use(http.get('*/v1/profiles/export', () => HttpResponse.json(stored)));
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('link', { name: 'What is stored about me' }));
    expect(await screen.findByRole('heading', { name: 'Ways to sign in' })).toBeVisible();
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(headings).toEqual(['Profile', 'Ways to sign in', 'Consents', 'Organizations', 'What you changed as staff']);
    expect(screen.getByText('First name').nextElementSibling).toHaveTextContent('Ann');
    expect(screen.getByText('Company').nextElementSibling).toHaveTextContent('Nothing');
    expect(screen.getByText('Email verified').nextElementSibling).toHaveTextContent('Yes');
    expect(screen.getByText('2 entries')).toBeVisible();
    const [ofConsent] = screen.getAllByText('Organization');
    expect(ofConsent?.nextElementSibling, 'the name instead of the id').toHaveTextContent('Northwind Films');
    expect(screen.getByText('Content').nextElementSibling, 'without a title').toHaveTextContent('No longer available');
    expect(screen.getByRole('heading', { name: 'Consents' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download as a file' })).toBeVisible();
  });

  it('has readable names, and times are told from other texts', () => {
    expect(labelOf('timeLastSeen')).toBe('Time last seen');
    expect(labelOf('watch_time')).toBe('Watch time');
    expect(isTime('2026-11-20T06:41:00.000Z')).toBe(true);
    expect(isTime('2026-11-20')).toBe(false);
    expect(numberOf('position', 3, 'pdf')).toEqual({ unit: 'page', value: 3 });
    expect(numberOf('position', 65_000, undefined), 'of a deleted item').toEqual({ unit: 'none', value: 65_000 });
  });

  it('has titles, words, times and lengths instead of what is stored', async () => {
    signIn();
    server.use(http.get('*/v1/profiles/export', () => HttpResponse.json(everything)));
    openApp('/org/north/me/data');
    await screen.findByRole('heading', { name: 'How far you are' });
    const shown = (label: string) =>
      screen.getAllByText(label).map((term) => term.nextElementSibling?.textContent ?? '');
    expect(shown('Content')).toContain('The talk');
    expect(shown('Playlist')).toContain('Briefings');
    expect(shown('Position')).toEqual(['2 min 5 sec', 'Page 3']);
    expect(shown('Length')).toEqual(['12 min 34 sec', '12 pages']);
    expect(shown('Watch time')).toEqual(['1 hr 1 min']);
    expect(shown('Country')).toContain('Norway');
    expect(shown('Role')).toEqual(['App user']);
    expect(shown('Reason')).toEqual(['Watched something new']);
    expect(shown('Points')).toEqual(['12.3']);
    expect(shown('Temperature')).toEqual(['Warm']);
    expect(shown('Action')).toEqual(['Content changed', 'Playlist deleted', 'Person blocked']);
    expect(shown('Target')).toEqual(['The talk', 'No longer available', 'u-2']);
    expect(screen.getByText('Google')).toBeInTheDocument();
    expect(shown('Title'), 'without its id').toEqual(['My film', 'No longer available']);
    expect(shown('ID'), 'only where there is no name').toEqual(['ann']);
    const [ofPosition] = screen.getAllByText('2 min 5 sec').map((value) => value.closest('dl'));
    const order = [...(ofPosition?.querySelectorAll(':scope > div > dt') ?? [])].map(({ textContent }) => textContent);
    expect(order.slice(0, 4)).toEqual(['Organization', 'Content', 'Playlist', 'Time']);
    expect(screen.queryByText('Titles')).toBeNull();
    const ofProfile = screen.getByText('First name').closest('dl');
    const first = [...(ofProfile?.querySelectorAll(':scope > div > dt') ?? [])].map(({ textContent }) => textContent);
    expect(first.slice(0, 4)).toEqual(['Display name', 'First name', 'Last name', 'Email']);
  });

  it('is in German as well', async () => {
    const fields = (value: unknown): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...fields(inner)])
        : [];
    const { titles: _, ...listed } = everything;
    const without = new Set(fields(listed).filter((field) => german.me.dataLabels[field] === undefined));
    expect([...without]).toEqual([]);
    await loadLanguage('de');
    signIn();
    server.use(http.get('*/v1/profiles/export', () => HttpResponse.json(everything)));
    openApp('/org/north/me/data');
    expect(await screen.findByText('Norwegen')).toBeVisible();
    expect(screen.getByText('App-Nutzer')).toBeInTheDocument();
    expect(screen.getByText('Inhalt geändert')).toBeInTheDocument();
    expect(screen.getAllByText('Nicht mehr verfügbar')[0]).toBeInTheDocument();
  });
});

describe('erasing the account', () => {
  const open = async () => {
    signIn();
    const { address } = openApp('/org/north/me');
    await screen.findByText('ann@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Erase my account' }));
    return { address, email: await screen.findByLabelText('Your email address: ann@example.com') };
  };

  it('needs the email address, and signs out', async () => {
    const sent: unknown[] = [];
    server.use(
      http.delete('*/v1/profiles', async ({ request }) => {
        sent.push(await request.json());
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { address, email } = await open();
    await userEvent.type(email, 'bea@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Erase' }));
    expect(await screen.findByText('This is not the email address of your account.')).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.clear(email);
    await userEvent.type(email, ' Ann@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Erase' }));
    expect(await screen.findByText('Your account has been erased.')).toBeVisible();
    await waitFor(() => expect(address()).toBe('/app/sign-in'));
    expect(sent).toEqual([{ email: 'ann@example.com' }]);
    expect([session.token(), storage.get('organisation')]).toEqual([null, null]);
  });

  it('shows why the server refused', async () => {
    server.use(http.delete('*/v1/profiles', () => refusal(409, 'last_super_admin', 'Hand over Acme first.')));
    const { email } = await open();
    await userEvent.type(email, 'ann@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Erase' }));
    expect(await screen.findByText('Hand over Acme first.')).toBeVisible();
    expect(session.token()).not.toBeNull();
  });
});
