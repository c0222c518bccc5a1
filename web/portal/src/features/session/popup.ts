/** Signing in through a provider's window: the protocol, without a screen (rules R-34). */

import { IdentityNotReady } from '@vitrine/api';

/** The outside identity providers. */
export type Provider = 'google' | 'apple';

/** Why a window brought no sign-in; `closed` is a window that went away without a word. */
export type PopupFailure = 'cancelled' | 'failed' | 'unavailable' | 'closed';

/** What the window handed over, and the secret that only its opener knows. */
export interface PopupProof {
  code: string;
  secret: string;
}

/** What the opener wants to hear; a failure at most once, and a proof even after it. */
export interface PopupHandlers {
  onProof: (proof: PopupProof) => void;
  onFailure: (reason: PopupFailure) => void;
}

/** A window that was opened. */
export interface Popup {
  readonly provider: Provider;
  /** Brings the window forward; false when there is none any more. */
  focus(): boolean;
  /** Closes the window and stops listening. */
  stop(): void;
}

/** The server's closing page speaks here. */
export const CHANNEL = 'vitrine.sign-in';
/** A window that looks closed may only have been cut off by its page; its word may still be on the way. */
export const GRACE_MS = 2000;
/** How often the window is looked at. */
export const WATCH_MS = 250;

const SIZE = { width: 480, height: 640 } as const;

/**
 * Opens the provider's window; must be called in the click itself. Null when the browser blocked it; throws
 * `IdentityNotReady` where the browser lacks what the protocol needs.
 */
export function openPopup(provider: Provider, { onProof, onFailure }: PopupHandlers): Popup | null {
  if (!isReady()) throw new IdentityNotReady();
  // Blank at first: the address needs a digest, which is ready only after the click.
  const opened = window.open('', '_blank', centred(SIZE));
  if (!opened || opened.closed) return null;
  const secret = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const channel = new BroadcastChannel(CHANNEL);
  let flow: string | null = null;
  let over = false;
  let failed = false;
  let grace: ReturnType<typeof setTimeout> | undefined;

  const fail = (reason: PopupFailure) => {
    if (failed) return;
    failed = true;
    onFailure(reason);
  };
  const end = () => {
    over = true;
    clearInterval(watch);
    clearTimeout(grace);
    channel.close();
    opened.close();
  };
  const watch = setInterval(() => {
    if (!opened.closed) return;
    clearInterval(watch);
    grace = setTimeout(() => fail('closed'), GRACE_MS);
  }, WATCH_MS);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const word = wordOf(data);
    if (over || word === null || word.flow !== flow) return;
    // The window may close now; where nobody says this, it tells that its page is gone.
    channel.postMessage({ flow, received: true });
    end();
    if (word.code !== null) onProof({ code: word.code, secret });
    else fail(word.error);
  };
  challengeOf(secret).then(
    (challenge) => {
      if (over) return;
      flow = challenge;
      opened.location.replace(startOf(provider, challenge));
    },
    () => {
      if (over) return;
      end();
      fail('failed');
    },
  );
  return {
    provider,
    focus() {
      if (over || opened.closed) return false;
      opened.focus();
      return true;
    },
    stop() {
      if (!over) end();
    },
  };
}

/** Pages without https have no digest, and some old browsers no channel. */
function isReady(): boolean {
  return typeof BroadcastChannel === 'function' && crypto.subtle !== undefined;
}

/** What of the secret may be seen by everybody: its SHA-256 in base64url. */
export async function challengeOf(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return base64url(new Uint8Array(digest));
}

function startOf(provider: Provider, challenge: string): string {
  const url = new URL(`/v1/auth/oidc/${provider}/start`, window.location.origin);
  url.search = new URLSearchParams({ popup: '1', challenge }).toString();
  return url.href;
}

/** In the middle of the window that opens it. */
function centred({ width, height }: { width: number; height: number }): string {
  const left = Math.max(0, Math.round(window.screenX + (window.outerWidth - width) / 2));
  const top = Math.max(0, Math.round(window.screenY + (window.outerHeight - height) / 2));
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}

type Word = { flow: string; code: string } | { flow: string; code: null; error: Exclude<PopupFailure, 'closed'> };

/** Reads what came over the channel; null for anything that is not of this protocol. */
function wordOf(data: unknown): Word | null {
  if (typeof data !== 'object' || data === null) return null;
  const { flow, code, error } = data as { flow?: unknown; code?: unknown; error?: unknown };
  if (typeof flow !== 'string' || flow === '') return null;
  if (typeof code === 'string' && code !== '') return { flow, code };
  if (error === 'cancelled' || error === 'failed' || error === 'unavailable') return { flow, code: null, error };
  return null;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
