/** The Users screen: search, filter, count, pages and details. */
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { ORG, problem, profile, server } from '~/shared/testing/server.ts';

const person = (userId: string, name: string, fields: Partial<UserOut['user']> = {}): UserOut => ({
  userId,
  membershipId: `membership-${userId}`,
  role: 'teamUser',
  user: { ...profile, uid: userId, displayName: name, email: `${userId}@example.com`, ...fields },
  timeJoined: profile.timeCreated,
  blocked: false,
  consent: null,
  timeConsent: null,
});

const crowd = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => person(`p${from + index}`, `Person ${from + index}`));

/** Answers the list; records what was asked for. */
function answering(answer: (query: URLSearchParams) => UserOut[] | Promise<UserOut[]>, total = 34) {
  const asked: string[] = [];
  server.use(
    http.get('*/v1/organizations/:id/users', async ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.toString());
      return HttpResponse.json({ data: await answer(query), total });
    }),
  );
  return asked;
}

const status = () => screen.getAllByRole('status').find(({ className }) => className.includes('tabular'))?.textContent;

test('a search without a hit counts none and can be cleared', async () => {
  const bea = person('bea', 'Bea');
  server.use(
    http.get('*/v1/organizations/:id/users', ({ request }) => {
      const data = new URL(request.url).searchParams.has('search') ? [] : [bea];
      return HttpResponse.json({ data, total: 34 });
    }),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  expect(await screen.findByText('34 users')).toBeVisible();
  await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'zzz');
  expect(await screen.findByText('No users available!')).toBeVisible();
  expect(screen.getByText('0 of 34 users')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(await screen.findByRole('button', { name: 'Bea' })).toBeVisible();
});

test('the count of a search is announced once its answer has arrived', async () => {
  let letGo: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  answering(async (query) => {
    if (!query.has('search')) return crowd(0, 3);
    await waiting;
    return crowd(0, 1);
  }, 3);
  const { user } = renderAt(`/org/${ORG}/users`);
  await waitFor(() => expect(status()).toBe('3 users'));
  await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'one');
  // The people of before stay visible, but they are not counted as matches.
  await waitFor(() => expect(status()).toBe('Loading'));
  expect(screen.getByRole('button', { name: 'Person 2' })).toBeVisible();
  letGo();
  await waitFor(() => expect(status()).toBe('1 of 3 users'));
});

test('matches on further pages are not counted as if there were none', async () => {
  answering((query) => (query.has('startAfter') ? crowd(20, 25) : crowd(0, 20)), 1234);
  const { user } = renderAt(`/org/${ORG}/users`);
  await waitFor(() => expect(status()).toBe('1,234 users'));
  await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'person');
  await waitFor(() => expect(status()).toBe('At least 20 of 1,234 users'));
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(status()).toBe('25 of 1,234 users'));
});

test('a further page that fails is reported, and can be tried again', async () => {
  let fails = true;
  server.use(
    http.get('*/v1/organizations/:id/users', ({ request }) => {
      if (!new URL(request.url).searchParams.has('startAfter')) {
        return HttpResponse.json({ data: crowd(0, 20), total: 25 });
      }
      return fails ? problem(429, 'Too many requests') : HttpResponse.json({ data: crowd(20, 25), total: 25 });
    }),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('More users could not be loaded.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Person 19' })).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Person 24' })).toBeVisible();
  expect(screen.queryByText('More users could not be loaded.')).toBeNull();
});

test('Admins only asks for the admins, and Show all for all', async () => {
  // Answers stay fresh.
  vi.setSystemTime(Date.now());
  onTestFinished(() => void vi.useRealTimers());
  const asked = answering((query) => (query.has('admins') ? crowd(0, 1) : crowd(0, 3)), 3);
  const { user } = renderAt(`/org/${ORG}/users`);
  expect(await screen.findByRole('button', { name: 'Person 2' })).toBeVisible();
  await user.click(screen.getByText('Admins only'));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Person 2' })).toBeNull());
  expect(status()).toBe('1 of 3 users');
  await user.click(screen.getByText('Show all'));
  expect(await screen.findByRole('button', { name: 'Person 2' })).toBeVisible();
  expect(status()).toBe('3 users');
  expect(asked).toEqual(['', 'admins=true']);
});

test('the end of the list loads page after page, and stops at the last one', async () => {
  const reports: (() => void)[] = [];
  class Visible {
    private readonly report: IntersectionObserverCallback;
    constructor(report: IntersectionObserverCallback) {
      this.report = report;
    }
    observe(target: Element) {
      const entry = { isIntersecting: true, target } as IntersectionObserverEntry;
      reports.push(() => this.report([entry], this as unknown as IntersectionObserver));
    }
    unobserve() {}
    disconnect() {}
  }
  const silent = IntersectionObserver;
  vi.stubGlobal('IntersectionObserver', Visible);
  const asked = answering((query) => {
    const after = Number(query.get('startAfter')?.slice(1) ?? -1) + 1;
    return crowd(after, Math.min(after + 20, 45));
  }, 45);
  renderAt(`/org/${ORG}/users`);
  expect(await screen.findByRole('button', { name: 'Show more' })).toBeVisible();
  act(() => {
    for (const report of reports) report();
  });
  expect(await screen.findByRole('button', { name: 'Person 44' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
  expect(asked).toEqual(['', 'startAfter=p19', 'startAfter=p39']);
  vi.stubGlobal('IntersectionObserver', silent);
});

test('the loader, the screen and a second visit make one request', async () => {
  // Answers stay fresh.
  vi.setSystemTime(Date.now());
  onTestFinished(() => void vi.useRealTimers());
  const asked = answering(() => crowd(0, 1), 1);
  const { user } = renderAt(`/org/${ORG}/users`);
  expect(await screen.findByRole('button', { name: 'Person 0' })).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Settings' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Person 0' })).toBeNull());
  await user.click(screen.getByRole('link', { name: 'Users' }));
  expect(await screen.findByRole('button', { name: 'Person 0' })).toBeVisible();
  expect(asked).toEqual(['']);
});

test('the details have phone, email and company, and say which are missing', async () => {
  answering(() => [person('bea', 'Bea'), person('carl', 'Carl', { phoneNumber: '', company: '' })], 2);
  const { user } = renderAt(`/org/${ORG}/users`);
  const rows = async (name: string) => {
    await user.click(await screen.findByRole('button', { name }));
    const dialog = within(await screen.findByRole('dialog', { name: 'User' }));
    const terms = dialog.getAllByRole('term').slice(0, 3);
    const found = terms.map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'User' })).toBeNull());
    return found;
  };
  expect(await rows('Bea')).toEqual([
    ['Phone', profile.phoneNumber],
    ['Email', 'bea@example.com'],
    ['Company', profile.company],
  ]);
  expect(await rows('Carl')).toEqual([
    ['Phone', 'N/A'],
    ['Email', 'carl@example.com'],
    ['Company', 'N/A'],
  ]);
});

test('Escape in the question closes the question only', async () => {
  answering(() => [person('bea', 'Bea')], 1);
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Bea' }));
  await user.click(await screen.findByRole('button', { name: 'Remove from organization' }));
  const asking = await screen.findByRole('dialog', { name: 'Confirmation' });
  within(asking).getByRole('button', { name: 'Cancel' }).focus();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirmation' })).toBeNull());
  expect(screen.getByRole('dialog', { name: 'User' })).toBeVisible();
});

test('a person is written to and called, and both are copied', async () => {
  answering(() => [
    person('bea', 'Bea', { phoneNumber: '+47 22 12 34 56' }),
    person('carl', 'Carl', { phoneNumber: '' }),
  ]);
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Bea' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'User' }));
  expect(dialog.getByRole('link', { name: 'Send email' })).toHaveAttribute('href', 'mailto:bea@example.com');
  expect(dialog.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+4722123456');
  await user.click(dialog.getByRole('button', { name: 'Copy phone' }));
  expect(await screen.findByText('Phone copied')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('+47 22 12 34 56');
  await user.click(dialog.getByRole('button', { name: 'Copy email' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('bea@example.com'));
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Carl' }));
  expect(await screen.findByRole('link', { name: 'Send email' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Call' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Copy phone' })).toBeNull();
});

test.each([true, false])('the details fill the screen of a phone only: %s', async (narrow) => {
  const wide = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...wide(query),
    matches: narrow && query === '(max-width: 48em)',
  }));
  answering(() => [person('bea', 'Bea')], 1);
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Bea' }));
  const dialog = await screen.findByRole('dialog', { name: 'User' });
  vi.restoreAllMocks();
  expect(dialog.closest('[data-full-screen]') !== null).toBe(narrow);
});
