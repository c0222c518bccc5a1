/** People of an organisation, in words and as rows of the export. */
import type { PersonOut } from '@vitrine/api';
import { roleLabels } from '~/features/orgs/roles.ts';
import { nameOf } from '~/features/profile/model.ts';
import { memberTexts } from './texts.ts';

/** Which people an export holds (G-47). */
export const exportFilters = [
  { value: 'all', label: memberTexts.exports.all },
  { value: 'new', label: memberTexts.exports.new },
  { value: 'gdpr', label: memberTexts.exports.gdpr },
] as const;

/** One of the exports. */
export type ExportFilter = (typeof exportFilters)[number]['value'];

const NEW_FOR_MS = 7 * 24 * 3600 * 1000;
/** A page longer than this may have another one behind it. */
const LAST_PAGE_LENGTH = 10;

/** How a card calls a person. */
export function personName(person: PersonOut): string {
  return nameOf(person.user) || person.userId;
}

/** Whether a person is staff, not an app user alone. */
export function isStaffPerson({ role }: PersonOut): boolean {
  return role !== 'user';
}

/** The people an export holds. */
export function filterPeople(people: readonly PersonOut[], filter: ExportFilter, now: number): PersonOut[] {
  if (filter === 'gdpr') return people.filter(({ consent }) => consent === true);
  if (filter === 'all') return [...people];
  const recent = (time: string | null | undefined) => typeof time === 'string' && now - Date.parse(time) <= NEW_FOR_MS;
  return people.filter(({ timeJoined, timeConsent }) => recent(timeJoined) || recent(timeConsent));
}

/** Columns of the export, in the order of the specification. */
export const exportHeader: readonly string[] = [
  'User type',
  'Time joined',
  'Staff role',
  'Time (consent)',
  'First Name',
  'Last Name',
  'Display Name',
  'Email',
  'Phone Number',
  'Country Code',
  'Company',
  'Job Title',
  'Business Area',
];

/** One row of the export. */
export function exportRow(person: PersonOut, countryCode: string): string[] {
  const staff = isStaffPerson(person);
  const { user } = person;
  return [
    staff ? 'Staff' : 'User',
    staff ? (person.timeJoined ?? '') : '',
    staff ? roleLabels[person.role] : '',
    person.timeConsent ?? '',
    user.firstName,
    user.lastName,
    user.displayName,
    user.email,
    user.phoneNumber,
    countryCode,
    user.company,
    user.jobTitle,
    user.businessArea,
  ];
}

/** Where the next page starts, or nothing after the last one. */
export function nextPage(page: readonly PersonOut[]): string | undefined {
  return page.length > LAST_PAGE_LENGTH ? page.at(-1)?.userId : undefined;
}
