/** /invite: its messages, and that it never waits forever. */
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { refusal } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { ORG, profile, server } from '~/shared/testing/server.ts';

const accepted = http.get('*/v1/invites/:code', () =>
  HttpResponse.json({ userEmail: profile.email, status: 'active', orgId: ORG }),
);
const heading = (name: string) => screen.findByRole('heading', { name });
const busy = () => refusal(500, 'internal', 'Something went wrong. Try again later!');

afterEach(() => void vi.useRealTimers());

test.each([
  ['the profile cannot be loaded', '*/v1/profiles', busy, 'Something went wrong. Try again later!'],
  ['the invitation cannot be checked', '*/v1/invites/:code', busy, 'Something went wrong. Try again later!'],
  ['there is no connection', '*/v1/invites/:code', () => HttpResponse.error(), /^The server could not be reached\./],
])('if %s, it says so and can be retried', async (_, path, reply, message) => {
  server.use(accepted);
  let down = true;
  server.use(http.get(path, () => (down ? reply() : undefined)));
  const { user } = renderAt('/invite?code=abc');
  expect(await heading('We could not check your invitation')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(message);
  down = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await heading('Invitation accepted!')).toBeVisible();
});

test.each([
  ['without a code', '/invite'],
  ['that the server does not know', '/invite?code=abc'],
])('an invitation %s is rejected, naming the account', async (_, address) => {
  let known = () => {};
  server.use(
    http.get('*/v1/invites/:code', () => refusal(404, 'not_found', 'Invite not found')),
    http.get('*/v1/profiles', async () => {
      await new Promise<void>((resolve) => (known = resolve));
      return HttpResponse.json(profile);
    }),
  );
  renderAt(address);
  expect(await heading('Checking your invitation')).toBeVisible();
  expect(screen.queryByText(/account with {2}is not valid/)).toBeNull();
  await waitFor(() => act(async () => known()));
  expect(await heading('Invitation rejected!')).toBeVisible();
  expect(
    screen.getByText(new RegExp(`^Your invitation for the account with ${profile.email} is not valid\\.`)),
  ).toBeVisible();
});

test.each([
  [402, 'Your plan has 5 staff seats, and all of them are taken.'],
  [403, 'Verify your email address first.'],
])('a refusal with %i is no rejection: its sentence is shown, and the code is kept', async (status, message) => {
  let full = true;
  server.use(
    http.get('*/v1/invites/:code', () => (full ? refusal(status, 'refused', message) : undefined)),
    accepted,
  );
  const { user } = renderAt('/invite?code=abc');
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  full = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await heading('Invitation accepted!')).toBeVisible();
});

test('after a sign-out, the right account returns to the invitation', async () => {
  server.use(
    http.get('*/v1/invites/:code', () =>
      HttpResponse.json({ userEmail: 'bea@example.com', status: 'pending', orgId: ORG }),
    ),
    http.post('*/v1/auth/sign-out', () => new HttpResponse(null, { status: 204 })),
  );
  const { user, path } = renderAt('/invite?code=a%2Fb');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(path()).toBe('/login'));
  await waitFor(() => expect(localStorage.getItem('redirectUrl')).toBe('/invite?code=a%2Fb'));
});

test('a server that does not respond can be retried', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  let asked = 0;
  server.use(
    http.get('*/v1/invites/:code', () => {
      asked += 1;
      return asked === 1
        ? new Promise<never>(() => undefined)
        : HttpResponse.json({ userEmail: profile.email, status: 'active', orgId: ORG });
    }),
  );
  const { user } = renderAt('/invite?code=abc');
  await waitFor(() => expect(asked).toBe(1));
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  expect(screen.getByText('This is taking longer than usual.')).toBeVisible();
  vi.useRealTimers();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await heading('Invitation accepted!')).toBeVisible();
});
