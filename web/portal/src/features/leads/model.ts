/** Leads with their profiles. */
import type { LeadOut, ProfileOut, Temperature } from '@vitrine/api';
import { leadTexts } from './texts.ts';

/** Whether it is known what the profile of a lead is. */
export type ProfileState = 'loading' | 'failed' | 'known';

/** A lead with its profile. Of an erased account there is none. */
export interface Lead extends LeadOut {
  profile: ProfileOut | undefined;
  profileState: ProfileState;
}

/** Label and color of each temperature; color alone would not be accessible. */
export const temperatures: Readonly<Record<Temperature, { label: string; color: string }>> = {
  hot: { label: leadTexts.temperatures.hot, color: 'red' },
  warm: { label: leadTexts.temperatures.warm, color: 'yellow' },
  cold: { label: leadTexts.temperatures.cold, color: 'blue' },
};

/** Maximum profiles per request. */
export const PROFILE_BATCH = 50;
/** A longer page may be followed by another. */
const LAST_PAGE_LENGTH = 10;

/** Splits ids into batches. */
export function batches(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

/** Returns the cursor of the next page, or undefined after the last one. */
export function nextPage(page: readonly LeadOut[]): string | undefined {
  return page.length > LAST_PAGE_LENGTH ? page.at(-1)?.userId : undefined;
}
