/** The page's outbox of events, and the moments at which it has to hurry. */

import { answerOf, statusOf } from '@vitrine/api';
import { type BeatSink, createEventStore, EventOutbox, oneTabAtATime, type SendEvents } from '@vitrine/player';
import { api } from '~/shared/api.ts';
import { serverNow, signedInPerson } from '~/shared/session.ts';

/** POST /events; `keepalive` lets the last beats outlive the page. */
export const sendEvents: SendEvents = async (orgId, events) => {
  try {
    await answerOf(api.POST('/v1/events', { body: { orgId, events }, keepalive: true }));
    return 'acknowledged';
  } catch (error) {
    return isForGood(statusOf(error)) ? 'refused' : 'unavailable';
  }
};

/** Where this page's events wait. */
export const outbox = new EventOutbox({
  send: sendEvents,
  store: createEventStore(ownStorage(), 'vitrine.viewer.event.'),
  owner: signedInPerson,
  now: serverNow,
  exclusively: oneTabAtATime('vitrine.viewer.events'),
});

let leaving = false;

/** The sink of an organisation's trackers: a beat taken while the page goes away leaves with it. */
export function beatSink(orgId: string): BeatSink {
  return (beat, urgent) => {
    outbox.add(orgId, beat, urgent);
    if (leaving || document.visibilityState === 'hidden') outbox.leave();
  };
}

/** Sends what earlier pages left behind, and again when the line is back; called once at the start. */
export function startOutbox(): void {
  // Capturing, so that it is known before any tracker takes its last beat.
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

/** Refused for good: a bad request, no right, unknown. Not: signed out, too many, a fault of the server. */
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
