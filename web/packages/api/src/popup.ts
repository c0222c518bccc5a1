/** The protocol of signing in through a provider's popup, without UI. */

import { IdentityNotReady } from './problem.ts';

/** The external identity providers. */
export type Provider = 'google' | 'apple';

/** Why a popup did not sign in; `closed` means it closed without a message. */
export type PopupFailure = 'cancelled' | 'failed' | 'unavailable' | 'closed';

/** The code from the popup, and the secret only its opener knows. */
export interface PopupProof {
  code: string;
  secret: string;
}

/** Callbacks: at most one failure; a proof may still follow it. */
export interface PopupHandlers {
  onProof: (proof: PopupProof) => void;
  onFailure: (reason: PopupFailure) => void;
}

/** An open popup. */
export interface Popup {
  readonly provider: Provider;
  /** Focuses the popup; returns false if it has closed. */
  focus(): boolean;
  /** Closes the popup and stops listening. */
  stop(): void;
}

/** The broadcast channel the server's closing page posts to. */
export const CHANNEL = 'vitrine.sign-in';
/** A popup may look closed because its page severed the opener; wait this long for its message. */
export const GRACE_MS = 2000;
/** How often to check whether the popup has closed. */
export const WATCH_MS = 250;

const SIZE = { width: 480, height: 640 } as const;

/**
 * Opens the provider's popup; call it synchronously in the click handler. Returns null if the browser blocked it, and
 * throws `IdentityNotReady` if the browser lacks a required API.
 */
export function openPopup(provider: Provider, { onProof, onFailure }: PopupHandlers): Popup | null {
  if (!isReady()) throw new IdentityNotReady();
  // Opened blank: the URL needs a digest, which is computed asynchronously.
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
    // Acknowledge, so that the popup closes; without this it reports that its opener is gone.
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

/** Pages without https lack crypto.subtle, and some old browsers lack BroadcastChannel. */
function isReady(): boolean {
  return typeof BroadcastChannel === 'function' && crypto.subtle !== undefined;
}

/** Returns the public part of the secret: its SHA-256 in base64url. */
export async function challengeOf(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return base64url(new Uint8Array(digest));
}

function startOf(provider: Provider, challenge: string): string {
  const url = new URL(`/v1/auth/oidc/${provider}/start`, window.location.origin);
  url.search = new URLSearchParams({ popup: '1', challenge }).toString();
  return url.href;
}

/** Centers the popup over its opener. */
function centred({ width, height }: { width: number; height: number }): string {
  const left = Math.max(0, Math.round(window.screenX + (window.outerWidth - width) / 2));
  const top = Math.max(0, Math.round(window.screenY + (window.outerHeight - height) / 2));
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}

type Word = { flow: string; code: string } | { flow: string; code: null; error: Exclude<PopupFailure, 'closed'> };

/** Parses a channel message; null if it is not part of this protocol. */
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
