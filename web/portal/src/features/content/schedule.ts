/** Publish and expiry dates of content items and playlists. */
import { ApiProblem } from '@vitrine/api';
import { contentTexts } from './texts.ts';

/** Dates in the form: ISO times, empty for none. */
export interface ScheduleForm {
  publishAt: string;
  expireAt: string;
}

/** Dates as the server returns them to staff. */
interface Dated {
  publishAt?: string | null;
  expireAt?: string | null;
}

const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2100, 0);

export function scheduleOf({ publishAt, expireAt }: Dated): ScheduleForm {
  return { publishAt: publishAt ?? '', expireAt: expireAt ?? '' };
}

/** Returns the dates that the form changed; a cleared one becomes null. */
export function scheduleChanges(form: ScheduleForm, stored: Dated): Dated {
  const before = scheduleOf(stored);
  return {
    ...(form.publishAt === before.publishAt ? {} : { publishAt: form.publishAt || null }),
    ...(form.expireAt === before.expireAt ? {} : { expireAt: form.expireAt || null }),
  };
}

const rangeError = (iso: string) => {
  const time = Date.parse(iso);
  return iso === '' || (time >= EARLIEST && time < LATEST) ? null : contentTexts.schedule.outOfRange;
};

/** Validation of the dates. */
export const scheduleRules = {
  publishAt: rangeError,
  expireAt: (expireAt: string, { publishAt }: ScheduleForm) => {
    const ordered = expireAt === '' || publishAt === '' || Date.parse(expireAt) > Date.parse(publishAt);
    return ordered ? rangeError(expireAt) : contentTexts.schedule.expiresFirst;
  },
};

/** Returns what a refused change says about the dates, by field. */
export function scheduleErrors(error: unknown): Partial<ScheduleForm> {
  if (!(error instanceof ApiProblem)) return {};
  const { publishAt, expireAt } = error.fields;
  return { ...(publishAt ? { publishAt } : {}), ...(expireAt ? { expireAt } : {}) };
}

/** Returns why app users cannot see it now because of its dates; null if its dates let them. */
export function closedBecause({ publishAt, expireAt }: Dated, now: number): 'scheduled' | 'expired' | null {
  if (expireAt != null && Date.parse(expireAt) <= now) return 'expired';
  return publishAt != null && Date.parse(publishAt) > now ? 'scheduled' : null;
}
