/** Sign-in with Google and Apple. */
import { webcrypto } from 'node:crypto';
import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { refusal } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { server, sessionOf } from '~/shared/testing/server.ts';

interface Page {
  closed: boolean;
  focus: ReturnType<typeof vi.fn>;
  close: ReturnType<typeof vi.fn>;
  location: { replace: ReturnType<typeof vi.fn<(url: string) => void>> };
}

let pages: Page[];
let heard: ((event: { data: unknown }) => void)[];
const open = vi.spyOn(window, 'open');

beforeEach(() => {
  pages = [];
  heard = [];
  open.mockReset().mockImplementation(() => {
    const page: Page = { closed: false, focus: vi.fn(), close: vi.fn(), location: { replace: vi.fn() } };
    page.close.mockImplementation(() => {
      page.closed = true;
    });
    pages.push(page);
    return page as unknown as Window;
  });
  vi.stubGlobal('crypto', webcrypto);
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      set onmessage(listener: (event: { data: unknown }) => void) {
        heard.push(listener);
      }
      postMessage() {}
      close() {}
    },
  );
});
/** The challenge that identifies a popup. */
async function flowOf(index: number): Promise<string> {
  await waitFor(() => expect(pages[index]?.location.replace).toHaveBeenCalled());
  return new URL(pages[index]?.location.replace.mock.lastCall?.[0] ?? '').searchParams.get('challenge') ?? '';
}

/** A message of the server's closing page. */
const say = (data: unknown) =>
  act(async () => {
    for (const listener of heard) listener({ data });
  });

const button = (name: string) => screen.findByRole('button', { name });

const toasts = [
  ['/login', 'Google', 'There was a problem signing in with Google.'],
  ['/sign-up', 'Google', 'There was a problem signing in with Google'],
  ['/login', 'Apple', 'There was a problem signing in with Apple.'],
  ['/sign-up', 'Apple', 'There was a problem signing up with Apple'],
] as const;

describe('failures have their toasts', () => {
  test.each(
    toasts.flatMap((row) => (['cancelled', 'failed', 'unavailable'] as const).map((error) => [...row, error] as const)),
  )('%s with %s: "%s" when %s', async (path, name, text, error) => {
    const { user } = renderAt(path, { anonymous: true });
    await user.click(await button(`Continue with ${name}`));
    expect(await screen.findByText(`Continue in the ${name} window.`)).toBeVisible();
    await say({ flow: await flowOf(0), error });
    expect(await screen.findByRole('alert')).toHaveTextContent(new RegExp(`^${text.replaceAll('.', '\\.')}$`));
    expect(screen.queryByText(`Continue in the ${name} window.`)).toBeNull();
  });

  test.each(toasts)('%s with %s: "%s" in a browser that cannot', async (path, name, text) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.stubGlobal('BroadcastChannel', undefined);
    const { user } = renderAt(path, { anonymous: true });
    await user.click(await button(`Continue with ${name}`));
    expect(await screen.findByRole('alert')).toHaveTextContent(new RegExp(`^${text.replaceAll('.', '\\.')}$`));
    expect(logged.mock.calls).toMatchObject([[{ message: 'Identity SDK not initialised' }]]);
    logged.mockRestore();
  });

  test.each(toasts)('%s with %s: "%s" when the code is dead', async (path, name, text) => {
    server.use(http.post('*/v1/auth/oidc/redeem', () => refusal(400, 'dead_link', 'Gone')));
    const { user } = renderAt(path, { anonymous: true });
    await user.click(await button(`Continue with ${name}`));
    await say({ flow: await flowOf(0), code: 'abc' });
    expect(await screen.findByRole('alert')).toHaveTextContent(new RegExp(`^${text.replaceAll('.', '\\.')}$`));
  });
});

test("an unconfirmed address shows the server's message", async () => {
  server.use(http.post('*/v1/auth/oidc/redeem', () => refusal(409, 'email_unverified', 'Please confirm it first.')));
  const { user } = renderAt('/login', { anonymous: true });
  await user.click(await button('Continue with Google'));
  await say({ flow: await flowOf(0), code: 'abc' });
  expect(await screen.findByText('Please confirm it first.')).toBeVisible();
});

test('a blocked popup shows how to allow it', async () => {
  open.mockImplementation(() => null);
  const { user } = renderAt('/login', { anonymous: true });
  await user.click(await button('Continue with Apple'));
  const words = 'The sign-in window was blocked. Allow pop-ups for this site in your browser, then try again.';
  expect(await screen.findByText(words)).toBeVisible();
});

test.each(['/login', '/sign-up'])('a known person goes from %s to the remembered address', async (path) => {
  let sent: unknown;
  server.use(
    http.post('*/v1/auth/oidc/redeem', async ({ request }) => {
      sent = await request.json();
      return Response.json(sessionOf('ada'));
    }),
  );
  const view = renderAt(path, { anonymous: true });
  localStorage.setItem('redirectUrl', '/settings?x=1');
  await view.user.click(await button('Continue with Google'));
  await say({ flow: await flowOf(0), code: 'abc' });
  expect(await screen.findByText('Version 2.2.4')).toBeVisible();
  expect(view.path()).toBe('/settings?x=1');
  expect(sent).toEqual({ code: 'abc', secret: expect.stringMatching(/^[\w-]{43}$/) });
});

test.each([
  ['/login', { isNew: true }],
  ['/sign-up', { isNew: true }],
  ['/login', { profile: { ...sessionOf('ada').profile, firstName: ' ' } }],
])('a new or nameless person goes from %s to onboarding', async (path, fields) => {
  server.use(http.post('*/v1/auth/oidc/redeem', () => Response.json(sessionOf('ada', fields))));
  const view = renderAt(path, { anonymous: true });
  localStorage.setItem('redirectUrl', '/settings');
  await view.user.click(await button('Continue with Apple'));
  await say({ flow: await flowOf(0), code: 'abc' });
  expect(await screen.findByLabelText('First name')).toBeVisible();
  expect(view.path()).toBe('/on-boarding/details/user');
  expect(localStorage.getItem('redirectUrl')).toBe('/settings');
});

test('a second click focuses the open popup, another provider replaces it', async () => {
  const { user } = renderAt('/login', { anonymous: true });
  await user.click(await button('Continue with Google'));
  await user.click(await button('Continue with Google'));
  expect(pages).toHaveLength(1);
  expect(pages[0]?.focus).toHaveBeenCalledOnce();
  await user.click(await button('Continue with Apple'));
  expect(pages.map(({ closed }) => closed)).toEqual([true, false]);
  expect(await screen.findByText('Continue in the Apple window.')).toBeVisible();
});

test('a message of a popup that looked closed still counts after another was opened', async () => {
  server.use(http.post('*/v1/auth/oidc/redeem', () => Response.json(sessionOf('ada'))));
  localStorage.setItem('redirectUrl', '/settings');
  const { user, path } = renderAt('/login', { anonymous: true });
  await user.click(await button('Continue with Google'));
  const flow = await flowOf(0);
  if (pages[0] !== undefined) pages[0].closed = true;
  await user.click(await button('Continue with Google'));
  expect(pages).toHaveLength(2);
  await say({ flow, code: 'abc' });
  expect(await screen.findByText('Version 2.2.4')).toBeVisible();
  expect([path(), pages[1]?.closed]).toEqual(['/settings', true]);
});

test('leaving the page closes the popup', async () => {
  const { user } = renderAt('/login', { anonymous: true });
  await user.click(await button('Continue with Google'));
  await user.click(screen.getByRole('link', { name: 'Sign up' }));
  await button('Sign up');
  expect(pages[0]?.closed).toBe(true);
});
