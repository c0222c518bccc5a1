/** People of an organisation. */
import type { ActivityEntryOut, Role, UserOut } from '@vitrine/api';
import { roleWeights } from '~/features/orgs/roles.ts';
import { nameOf } from '~/features/profile/model.ts';
import { clock } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isEmail } from '~/shared/lib/urls.ts';
import { memberTexts } from './texts.ts';

export const exportFilters = [
  { value: 'all', label: memberTexts.exports.all },
  { value: 'new', label: memberTexts.exports.new },
  { value: 'gdpr', label: memberTexts.exports.gdpr },
] as const;

export type ExportFilter = (typeof exportFilters)[number]['value'];

/** Returns the person's name as shown on cards. */
export function personName(person: UserOut): string {
  return nameOf(person.user) || person.userId;
}

/** Returns whether the person is staff rather than only an app user. */
export function isStaffPerson({ role }: UserOut): boolean {
  return role !== 'user';
}

/** Returns whether the person left or was removed, and is known only by the answer to the notice. */
export function hasLeft({ membershipId }: UserOut): boolean {
  return typeof membershipId !== 'string';
}

/** Most addresses in one request. */
const ADDRESSES_MAX = 50;

/** Splits typed addresses at commas, semicolons and white space; repeated ones count once. */
export function addressesIn(text: string): string[] {
  return [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter((part) => part !== ''),
    ),
  ];
}

/** Most viewers in one request. */
export const VIEWERS_IN_REQUEST = 100;

/** Returns the addresses in a CSV file, whatever its columns and separators are; repeated ones count once. */
export function addressesInCsv(text: string): string[] {
  const words = text.toLowerCase().split(/[\s,;"<>()]+/);
  // An apostrophe may be part of an address, but not around it.
  const bare = words.map((word) => word.replaceAll(/^'+|'+$/g, ''));
  return [...new Set(bare.filter((word) => word.includes('@')))];
}

/** Returns why the typed addresses cannot be invited, or null. */
export function addressesProblem(text: string): string | null {
  const addresses = addressesIn(text);
  if (addresses.length > ADDRESSES_MAX) return memberTexts.inviteTooMany;
  return addresses.length > 0 && addresses.every(isEmail) ? null : commonTexts.invalidEmail;
}

/** Returns why the person's role cannot be changed, or null. */
export function lockOf(
  person: Pick<UserOut, 'userId' | 'role' | 'membershipId' | 'consent'>,
  own: { userId: string; role: Role },
): string | null {
  if (person.userId === own.userId) return memberTexts.ownRole;
  // The server gives roles to members and to people who consent.
  if (person.membershipId == null && person.consent !== true) return memberTexts.inviteForRole;
  return roleWeights[person.role] > roleWeights[own.role] ? memberTexts.heavierRole : null;
}

/** Describes an entry of a person's history. */
export function activityText({ type, title, watchTimeMs }: ActivityEntryOut): string {
  const texts: Record<string, (title: string, time: string) => string> = memberTexts.activities;
  return texts[type]?.(title ?? memberTexts.untitled, clock(watchTimeMs)) ?? type;
}
