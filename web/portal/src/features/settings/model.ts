/** How sessions and sign-in methods are displayed. */
import type { MethodsOut, OpenSessionOut } from '@vitrine/api';
import { timeOrDate } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { settingsTexts } from './texts.ts';

/** Returns the device's name, or a placeholder if unknown. */
export function deviceOf({ device }: Pick<OpenSessionOut, 'device'>): string {
  return device.trim() === '' ? settingsTexts.unknownDevice : device;
}

/** Returns whether the device is a phone or tablet. */
export function isHandheld({ device }: Pick<OpenSessionOut, 'device'>): boolean {
  return /iphone|ipad|ios|android|mobile/i.test(device);
}

/** Returns when a session was last used: relative within two days, otherwise the date; empty if unknown. */
export function lastSeen({ current, timeLastSeen }: OpenSessionOut, now: number): string {
  if (current) return settingsTexts.activeNow;
  return Number.isNaN(Date.parse(timeLastSeen)) ? '' : timeOrDate(timeLastSeen, now);
}

/** Returns place, app and time of a session, in one line. */
export function detailsOf(session: OpenSessionOut, now: number): string {
  const place = session.place.trim() === '' ? settingsTexts.unknownPlace : session.place;
  const app = session.app === 'viewer' ? settingsTexts.viewerApp : settingsTexts.portal;
  return [place, app, lastSeen(session, now)].filter(Boolean).join(' · ');
}

/** Sorts this device first, then by last use. */
export function sorted(sessions: readonly OpenSessionOut[]): OpenSessionOut[] {
  return sessions.toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.timeLastSeen.localeCompare(one.timeLastSeen),
  );
}

const known: Record<string, string> = commonTexts.providers;

/** Returns both known providers with their status, then any other linked ones. */
export function providersOf({ providers }: Pick<MethodsOut, 'providers'>): { name: string; linked: boolean }[] {
  const others = providers.filter((id) => known[id] === undefined);
  return [
    ...Object.entries(known).map(([id, name]) => ({ name, linked: providers.includes(id) })),
    ...others.map((name) => ({ name, linked: true })),
  ];
}
