/** Leads with their profiles, in words and as rows of the file. */
import type { LeadOut, ProfileOut, Temperature } from '@vitrine/api';
import { countryName } from '~/shared/lib/country.ts';
import { leadTexts } from './texts.ts';

/** A lead and who it is; the profile is missing until it is loaded. */
export interface Lead extends LeadOut {
  profile: ProfileOut | undefined;
}

/** The word and the colour of each temperature; never the colour alone. */
export const temperatures: Readonly<Record<Temperature, { label: string; color: string }>> = {
  hot: { label: leadTexts.temperatures.hot, color: 'red' },
  warm: { label: leadTexts.temperatures.warm, color: 'yellow' },
  cold: { label: leadTexts.temperatures.cold, color: 'blue' },
};

/** Profiles asked for in one call, at most. */
export const PROFILE_BATCH = 50;
/** A page longer than this may have another one behind it. */
const LAST_PAGE_LENGTH = 10;

/** Columns of the file. */
export const csvHeader: readonly string[] = [
  'User Id',
  'Temperature',
  'First Name',
  'Last Name',
  'Display Name',
  'Country',
  'Email',
  'Phone Number',
  'Company',
  'Job Title',
  'Business Area',
];

/** One row of the file. */
export function csvRow(lead: LeadOut, profile: ProfileOut): string[] {
  return [
    lead.userId,
    lead.temperature,
    profile.firstName,
    profile.lastName,
    profile.displayName,
    countryName(profile.country),
    profile.email,
    profile.phoneNumber,
    profile.company,
    profile.jobTitle,
    profile.businessArea,
  ];
}

/** Ids in groups of the size one call takes. */
export function batches(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

/** Where the next page starts, or nothing after the last one. */
export function nextPage(page: readonly LeadOut[]): string | undefined {
  return page.length > LAST_PAGE_LENGTH ? page.at(-1)?.userId : undefined;
}

/** File name of an organisation's leads. */
export function csvName(org: string): string {
  const plain = org
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${plain || 'organisation'}-leads.csv`;
}
