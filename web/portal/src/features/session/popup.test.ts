/** The popup protocol, with a fake window, channel and clock. */
import { webcrypto } from 'node:crypto';
import { CHANNEL, challengeOf, GRACE_MS, openPopup, type PopupHandlers, WATCH_MS } from '@vitrine/api/popup';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

class FakeChannel {
  static open: FakeChannel[] = [];
  static said: unknown[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
    FakeChannel.open.push(this);
  }
  postMessage(data: unknown) {
    FakeChannel.said.push(data);
  }
  close() {
    FakeChannel.open = FakeChannel.open.filter((one) => one !== this);
  }
}

/** A message of the server's closing page to all listeners. */
function say(data: unknown) {
  for (const channel of [...FakeChannel.open]) channel.onmessage?.({ data });
}

function fakeWindow() {
  const page = {
    closed: false,
    focus: vi.fn(),
    close: vi.fn(() => {
      page.closed = true;
    }),
    location: { replace: vi.fn<(url: string) => void>() },
  };
  return page;
}

let page: ReturnType<typeof fakeWindow>;
let handlers: { onProof: ReturnType<typeof vi.fn>; onFailure: ReturnType<typeof vi.fn> };
const open = vi.spyOn(window, 'open');

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('crypto', webcrypto);
  page = fakeWindow();
  handlers = { onProof: vi.fn(), onFailure: vi.fn() };
  open.mockReset().mockImplementation(() => page as unknown as Window);
});
afterEach(() => {
  FakeChannel.open = [];
  FakeChannel.said = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens a popup and waits for its URL. */
async function opened(provider: 'google' | 'apple' = 'google') {
  const popup = openPopup(provider, handlers as unknown as PopupHandlers);
  if (popup === null) throw new Error('blocked');
  await vi.waitFor(() => expect(page.location.replace).toHaveBeenCalled(), { timeout: 15_000 });
  const address = new URL(page.location.replace.mock.lastCall?.[0] ?? '');
  return { popup, address, flow: address.searchParams.get('challenge') ?? '' };
}

test('the challenge is the S256 digest of the secret', async () => {
  const made = await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
  expect(made).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
});

test('the popup opens blank and centered in the click, and gets its URL when the digest is ready', async () => {
  vi.stubGlobal('outerWidth', 1440);
  vi.stubGlobal('outerHeight', 900);
  vi.stubGlobal('screenX', 100);
  vi.stubGlobal('screenY', 20);
  openPopup('apple', handlers as unknown as PopupHandlers);
  expect(open).toHaveBeenCalledExactlyOnceWith('', '_blank', 'popup,width=480,height=640,left=580,top=150');
  expect(page.location.replace).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(page.location.replace).toHaveBeenCalledOnce(), { timeout: 15_000 });
  const address = new URL(page.location.replace.mock.lastCall?.[0] ?? '');
  expect(address.origin + address.pathname).toBe(`${window.location.origin}/v1/auth/oidc/apple/start`);
  expect(address.searchParams.get('popup')).toBe('1');
  expect(address.searchParams.get('challenge')).toMatch(/^[\w-]{43}$/);
});

test('the code is passed on with the secret of the challenge', async () => {
  const { flow } = await opened();
  expect(FakeChannel.open.map(({ name }) => name)).toEqual([CHANNEL]);
  say({ flow, code: 'abc' });
  const { code, secret } = handlers.onProof.mock.lastCall?.[0] ?? {};
  expect(code).toBe('abc');
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await challengeOf(secret)).toBe(flow);
  expect(page.close).toHaveBeenCalled();
  expect(FakeChannel.open).toEqual([]);
});

test('every popup has its own secret', async () => {
  const first = await opened();
  page = fakeWindow();
  const second = await opened();
  expect(first.flow).not.toBe(second.flow);
});

test.each(['cancelled', 'failed', 'unavailable'] as const)('a popup that reports %s failed', async (error) => {
  const { flow } = await opened();
  say({ flow, error });
  expect(handlers.onFailure).toHaveBeenCalledExactlyOnceWith(error);
  expect(handlers.onProof).not.toHaveBeenCalled();
});

test('messages of other popups and invalid messages are ignored', async () => {
  const { flow } = await opened();
  const noise = [
    null,
    7,
    'abc',
    {},
    { code: 'abc' },
    { flow: '', code: 'abc' },
    { flow: 'other', code: 'abc' },
    { flow, code: '' },
    { flow, code: 7 },
    { flow, error: 'closed' },
    { flow, error: 'anything' },
    { flow: [flow], code: 'abc' },
  ];
  for (const word of noise) say(word);
  expect(handlers.onProof).not.toHaveBeenCalled();
  expect(handlers.onFailure).not.toHaveBeenCalled();
});

test('messages before the URL is set are ignored', () => {
  openPopup('google', handlers as unknown as PopupHandlers);
  say({ flow: null, code: 'abc' });
  say({ flow: 'undefined', code: 'abc' });
  expect(handlers.onProof).not.toHaveBeenCalled();
});

test('a closed popup fails only after two seconds of grace', async () => {
  await opened();
  page.closed = true;
  vi.advanceTimersByTime(GRACE_MS - 1);
  expect(handlers.onFailure).not.toHaveBeenCalled();
  vi.advanceTimersByTime(WATCH_MS + 1);
  expect(handlers.onFailure).toHaveBeenCalledExactlyOnceWith('closed');
  vi.advanceTimersByTime(60_000);
  expect(handlers.onFailure).toHaveBeenCalledOnce();
});

test('a message within the grace period signs in without a failure', async () => {
  const { flow } = await opened();
  page.closed = true;
  vi.advanceTimersByTime(GRACE_MS - 1);
  say({ flow, code: 'abc' });
  vi.advanceTimersByTime(60_000);
  expect(handlers.onProof).toHaveBeenCalledOnce();
  expect(handlers.onFailure).not.toHaveBeenCalled();
});

test('a message after the grace period still signs in', async () => {
  const { flow } = await opened();
  page.closed = true;
  vi.advanceTimersByTime(60_000);
  say({ flow, code: 'abc' });
  expect(handlers.onFailure).toHaveBeenCalledOnce();
  expect(handlers.onProof).toHaveBeenCalledOnce();
});

test('a failure after the grace period is not reported twice', async () => {
  const { flow } = await opened();
  page.closed = true;
  vi.advanceTimersByTime(60_000);
  say({ flow, error: 'cancelled' });
  expect(handlers.onFailure).toHaveBeenCalledOnce();
});

test('an open popup is focused, a closed one is not', async () => {
  const { popup } = await opened();
  expect(popup.focus()).toBe(true);
  expect(page.focus).toHaveBeenCalledOnce();
  page.closed = true;
  expect(popup.focus()).toBe(false);
  expect(page.focus).toHaveBeenCalledOnce();
});

test('a stopped popup is closed and ignored', async () => {
  const { popup, flow } = await opened();
  popup.stop();
  popup.stop();
  say({ flow, code: 'abc' });
  vi.advanceTimersByTime(60_000);
  expect(page.close).toHaveBeenCalledOnce();
  expect(FakeChannel.open).toEqual([]);
  expect(handlers.onProof).not.toHaveBeenCalled();
  expect(handlers.onFailure).not.toHaveBeenCalled();
  expect(popup.focus()).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('a popup stopped before its URL was set does not navigate', async () => {
  let finish: (digest: ArrayBuffer) => void = () => undefined;
  const digest = () => new Promise<ArrayBuffer>((resolve) => (finish = resolve));
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes, subtle: { digest } });
  openPopup('google', handlers as unknown as PopupHandlers)?.stop();
  finish(new ArrayBuffer(32));
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.location.replace).not.toHaveBeenCalled();
});

test('a blocked popup is null, and nothing keeps listening', () => {
  open.mockImplementation(() => null);
  expect(openPopup('google', handlers as unknown as PopupHandlers)).toBeNull();
  page.closed = true;
  open.mockImplementation(() => page as unknown as Window);
  expect(openPopup('google', handlers as unknown as PopupHandlers)).toBeNull();
  expect(FakeChannel.open).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test.each(['cancelled', 'code'])('the popup learns that its message (%s) was received', async (word) => {
  const { flow } = await opened();
  say({ flow: 'other', code: 'abc' });
  expect(FakeChannel.said).toEqual([]);
  say(word === 'code' ? { flow, code: 'abc' } : { flow, error: word });
  expect(FakeChannel.said).toEqual([{ flow, received: true }]);
});

test('a failing digest closes the popup and fails the sign-in', async () => {
  const subtle = { digest: () => Promise.reject(new Error('No')) };
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes, subtle });
  openPopup('google', handlers as unknown as PopupHandlers);
  await vi.waitFor(() => expect(handlers.onFailure).toHaveBeenCalledExactlyOnceWith('failed'), { timeout: 15_000 });
  expect(page.close).toHaveBeenCalledOnce();
  expect(FakeChannel.open).toEqual([]);
});

test.each([
  ['digests', () => vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes })],
  ['channels', () => vi.stubGlobal('BroadcastChannel', undefined)],
])('a browser without %s opens no popup', (_, lack) => {
  lack();
  expect(() => openPopup('google', handlers as unknown as PopupHandlers)).toThrow(/^Identity SDK not initialised$/);
  expect(open).not.toHaveBeenCalled();
});
