/** Signing out, being signed out, and changes in other tabs. */

import { createMemoryHistory } from '@tanstack/react-router';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { signOuts } from '~/shared/api/client.ts';
import { createQueryClient } from '~/shared/api/query-client.ts';
import { session } from '~/shared/api/session.ts';
import { tokenOf } from '~/shared/testing/identity.ts';
import { belongsTo, list, membership, ORG, profile, server } from '~/shared/testing/server.ts';
import { Portal } from './portal.tsx';
import { Providers } from './providers.tsx';
import { createAppRouter } from './router.tsx';

const people = { ada: 'Ada Byron', bea: 'Bea Nolan' } as const;
type Person = keyof typeof people;

/** Answers with the caller's profile. */
const ownProfile = http.get('*/v1/profiles', ({ request }) => {
  const person = personOf(request);
  if (person === undefined)
    return HttpResponse.json({ status: 401, code: 'signed_out', message: 'No' }, { status: 401 });
  return HttpResponse.json({ ...profile, uid: person, displayName: people[person], email: `${person}@example.com` });
});

function personOf(request: Request): Person | undefined {
  const token = request.headers.get('Authorization')?.replace('Bearer ', '');
  return (Object.keys(people) as Person[]).find((person) => token === tokenOf(person));
}

function open(url: string, person: Person | null) {
  if (person === null) session.clear();
  else session.save(tokenOf(person));
  const client = createQueryClient();
  const router = createAppRouter(client, createMemoryHistory({ initialEntries: [url] }));
  const view = render(
    <Providers client={client} env="test">
      <Portal router={router} />
    </Providers>,
  );
  return { ...view, client, router, user: userEvent.setup(), path: () => router.state.location.href };
}

/** Simulates a change of the shared entry by another tab. */
const elsewhere = (token: string | null) =>
  act(async () => {
    if (token === null) localStorage.removeItem('vitrine.session');
    else localStorage.setItem('vitrine.session', JSON.stringify({ accessToken: token }));
    window.dispatchEvent(new StorageEvent('storage', { key: 'vitrine.session' }));
  });

const signIn = () => screen.findByRole('button', { name: 'Sign in' });
const name = (person: Person) => screen.findByText(people[person]);

beforeEach(() => {
  server.use(ownProfile);
});

describe('signing out', () => {
  test('ends the session at the server, resets every store and shows the sign-in page', async () => {
    const requests: string[] = [];
    server.use(
      http.post('*/v1/auth/sign-out', ({ request }) => {
        requests.push(new URL(request.url).search, personOf(request) ?? 'signed out');
        return new Response(null, { status: 204 });
      }),
    );
    const { user, path, client } = open('/settings', 'ada');
    await name('ada');
    for (const key of ['accountId', 'planId', 'emailForSignIn', 'redirectUrl']) localStorage.setItem(key, '/kept');
    sessionStorage.setItem('selectedOrganizationId', ORG);
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await signIn();
    expect(path()).toBe('/login');
    expect(requests).toEqual(['', 'ada']);
    for (const key of ['accountId', 'planId', 'emailForSignIn', 'redirectUrl', 'vitrine.session']) {
      expect(localStorage.getItem(key), key).toBeNull();
    }
    expect(sessionStorage.length).toBe(0);
    await waitFor(() => expect(client.getQueryCache().getAll()).toEqual([]));
  });

  test.each([
    ['is dead', () => HttpResponse.error()],
    ['fails', () => new HttpResponse(null, { status: 503 })],
  ])('happens locally even if the server %s', async (_, reply) => {
    server.use(http.post('*/v1/auth/sign-out', reply));
    const { user, path } = open('/settings', 'ada');
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await signIn();
    expect([path(), session.token()]).toEqual(['/login', null]);
    expect(
      await screen.findByText(/^You are signed out on this device\. The server could not be reached/),
    ).toBeVisible();
    // The next page delivers it.
    const requests: Person[] = [];
    server.use(
      http.post('*/v1/auth/sign-out', ({ request }) => {
        requests.push(personOf(request) ?? 'bea');
        return new Response(null, { status: 204 });
      }),
    );
    await expect(signOuts.deliver()).resolves.toBe(true);
    expect(requests).toEqual(['ada']);
  });

  test('in another tab is followed at once, and this address is not remembered', async () => {
    const { path, client } = open('/settings', 'ada');
    await name('ada');
    sessionStorage.setItem('selectedOrganizationId', ORG);
    await elsewhere(null);
    await signIn();
    expect(screen.queryByText(people.ada)).toBeNull();
    expect([path(), localStorage.getItem('redirectUrl'), sessionStorage.length]).toEqual(['/login', null, 0]);
    await waitFor(() => expect(client.getQueryCache().getAll()).toEqual([]));
  });
});

describe('signing in in another tab', () => {
  test('as another person leaves nothing of the previous person on screen', async () => {
    server.use(
      http.get('*/v1/profiles/roles/detailed', ({ request }) =>
        list([membership('superAdmin', ORG, personOf(request) === 'bea' ? 'Beacon' : 'Northwind')]),
      ),
    );
    const { path } = open('/settings', 'ada');
    await name('ada');
    // In the sidebar, among the memberships, and above the switches of its emails.
    expect(screen.getAllByText('Northwind')).toHaveLength(3);
    localStorage.setItem('accountId', 'of-ada');
    await elsewhere(tokenOf('bea'));
    expect(screen.queryByText(people.ada)).toBeNull();
    expect(screen.queryAllByText('Northwind')).toEqual([]);
    await name('bea');
    expect(await screen.findAllByText('Beacon')).toHaveLength(3);
    expect([path(), localStorage.getItem('accountId')]).toEqual(['/settings', null]);
  });

  test('as another person clears a form the previous person had filled', async () => {
    const { user } = open('/user-profile', 'ada');
    const field = await screen.findByLabelText(/Last name/);
    await user.clear(field);
    await user.type(field, 'Secret');
    await elsewhere(tokenOf('bea'));
    expect(screen.queryByDisplayValue('Secret')).toBeNull();
    expect(await screen.findByLabelText(/Last name/)).toHaveValue(profile.lastName);
  });

  test('also signs in a tab that is on the sign-in page', async () => {
    server.use(
      http.get(`*/v1/organizations/${ORG}/dashboard`, () =>
        Response.json({ totalStats: { views: 1, watchTimeMs: 0 }, popularContent: [], playlists: [], content: [] }),
      ),
    );
    const { path } = open('/login', null);
    await signIn();
    await elsewhere(tokenOf('ada'));
    await name('ada');
    expect(path()).toBe(`/org/${ORG}/home`);
  });

  test('does not interrupt the landing page of a link', async () => {
    const { path } = open('/reset-password?code=abc', null);
    await screen.findByLabelText('New password');
    await elsewhere(tokenOf('ada'));
    expect(path()).toBe('/reset-password?code=abc');
    expect(screen.getByLabelText('New password')).toBeVisible();
  });

  test('a renewed token of the same person changes nothing', async () => {
    const { user } = open('/user-profile', 'ada');
    const field = await screen.findByLabelText(/Last name/);
    await user.clear(field);
    await user.type(field, 'Unsaved');
    await elsewhere(tokenOf('ada', 1));
    expect(screen.getByDisplayValue('Unsaved')).toBeVisible();
  });
});

describe('a save in flight', () => {
  beforeEach(() => {
    server.use(
      http.get(`*/v1/organizations/${ORG}/dashboard`, () =>
        Response.json({ totalStats: { views: 1, watchTimeMs: 0 }, popularContent: [], playlists: [], content: [] }),
      ),
    );
  });

  /** Ada presses Save, and the server takes its time. */
  async function saving(person: Person = 'ada') {
    let reply = (_: Response) => {};
    server.use(http.patch('*/v1/profiles', () => new Promise<Response>((resolve) => (reply = resolve))));
    const view = open('/user-profile', person);
    await view.user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.client.isMutating()).toBe(1));
    const answer = async () => {
      await act(async () =>
        reply(HttpResponse.json({ ...profile, displayName: people[person], company: 'Secret Ltd' })),
      );
      await act(() => new Promise((done) => setTimeout(done, 50)));
    };
    return { ...view, answer };
  }
  const cached = (client: ReturnType<typeof open>['client']) =>
    client.getQueryData<{ displayName: string }>(['profile']);

  test('is not shown to another person who has signed in', async () => {
    const { answer, client } = await saving();
    await elsewhere(tokenOf('bea'));
    await name('bea');
    await answer();
    expect(cached(client)?.displayName).toBe(people.bea);
    expect(screen.queryByText(people.ada)).toBeNull();
    expect(screen.queryByText('Profile updated successfully')).toBeNull();
  });

  test('leaves nothing behind for the person who signs in after a sign-out', async () => {
    server.use(http.post('*/v1/auth/sign-out', () => new Response(null, { status: 204 })));
    const { answer, client, user } = await saving();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await signIn();
    await answer();
    expect(cached(client)).toBeUndefined();
    await elsewhere(tokenOf('bea'));
    await name('bea');
    expect(cached(client)?.displayName).toBe(people.bea);
  });

  test('is shown to its own person after a token renewal', async () => {
    const { answer, client } = await saving();
    await elsewhere(tokenOf('ada', 1));
    await answer();
    expect(cached(client)).toMatchObject({ displayName: people.ada, company: 'Secret Ltd' });
  });
});

describe('a session that ended at the server', () => {
  test('leads to the sign-in page, and the address is remembered with query and hash', async () => {
    server.use(
      http.get('*/v1/profiles/roles/detailed', () => HttpResponse.json({ status: 401 }, { status: 401 })),
      http.post('*/v1/auth/refresh', () => HttpResponse.json({ status: 401 }, { status: 401 })),
    );
    const { path } = open(`/org/${ORG}/playlists?search=talks#x`, 'ada');
    await signIn();
    expect(path()).toBe('/login');
    expect(localStorage.getItem('redirectUrl')).toBe(`/org/${ORG}/playlists?search=talks#x`);
    expect(session.token()).toBeNull();
  });

  test('is renewed once if possible, without a message', async () => {
    let renewed = 0;
    server.use(
      http.get('*/v1/profiles', ({ request }) =>
        request.headers.get('Authorization') === `Bearer ${tokenOf('ada', 1)}`
          ? HttpResponse.json({ ...profile, displayName: people.ada })
          : HttpResponse.json({ status: 401 }, { status: 401 }),
      ),
      http.post('*/v1/auth/refresh', () => {
        renewed += 1;
        return HttpResponse.json({ accessToken: tokenOf('ada', 1), expiresIn: 3600, isNew: false, profile });
      }),
    );
    const { path } = open('/settings', 'ada');
    await name('ada');
    expect([path(), renewed, session.token()]).toEqual(['/settings', 1, tokenOf('ada', 1)]);
  });

  test('is kept while offline', async () => {
    server.use(
      belongsTo(membership('superAdmin')),
      http.get('*/v1/profiles', () => HttpResponse.json({ status: 401 }, { status: 401 })),
      http.post('*/v1/auth/refresh', () => HttpResponse.error()),
    );
    const { path } = open('/settings', 'ada');
    expect(await screen.findByText('Version 2.2.4')).toBeVisible();
    expect([path(), session.token()]).toEqual(['/settings', tokenOf('ada')]);
  });
});

test('an unmounted screen no longer follows the session', async () => {
  const { path } = open('/settings', 'ada');
  await name('ada');
  cleanup();
  await elsewhere(null);
  expect(path()).toBe('/settings');
});
