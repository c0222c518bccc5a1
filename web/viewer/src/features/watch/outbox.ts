/** The page's event outbox, and when it must flush. */

import { answerOf, statusOf } from '@vitrine/api';
import { type BeatSink, createEventStore, EventOutbox, oneTabAtATime, type SendEvents } from '@vitrine/player';
import { version as appVersion } from '~/../package.json';
import { api } from '~/shared/api.ts';
import { session } from '~/shared/session.ts';

/** POST /events; `keepalive` lets the last beats outlive the page. */
export const sendEvents: SendEvents = async (orgId, events) => {
  try {
    // By the same clock as the events' times, so that the server can correct it.
    const sentAt = new Date(session.now()).toISOString();
    await answerOf(api.POST('/v1/events', { body: { orgId, sentAt, appVersion, events }, keepalive: true }));
    return 'acknowledged';
  } catch (error) {
    return isForGood(statusOf(error)) ? 'refused' : 'unavailable';
  }
};

/** The outbox of this page. */
export const outbox = new EventOutbox({
  send: sendEvents,
  store: createEventStore(ownStorage(), 'vitrine.viewer.event.'),
  owner: session.person,
  now: session.now,
  exclusively: oneTabAtATime('vitrine.viewer.events'),
});

let leaving = false;

/** Returns the sink of an organisation's trackers; beats taken while the page unloads are sent immediately. */
export function beatSink(orgId: string): BeatSink {
  return (beat, urgent) => {
    outbox.add(orgId, beat, urgent);
    if (leaving || document.visibilityState === 'hidden') outbox.leave();
  };
}

/** Sends events left by earlier pages, now and whenever the browser is back online. Call once at startup. */
export function startOutbox(): void {
  // Capture phase, so that this runs before any tracker takes its last beat.
  window.addEventListener(
    'pagehide',
    () => {
      leaving = true;
      outbox.leave();
    },
    { capture: true },
  );
  window.addEventListener('pageshow', () => {
    leaving = false;
  });
  window.addEventListener('online', () => void outbox.flush());
  void outbox.flush();
}

/** Returns whether the refusal is final; signed out, rate limits and server errors are not. */
function isForGood(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 408 && status !== 429;
}

function ownStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
