/** Search params of the leads screen. */
import type { Temperature } from '@vitrine/api';

/** Orders of the list, as the API names them; the first is the default. */
export const sorts = ['score', 'lastSeen', 'newest'] as const;

/** An order of the list. */
export type Sort = (typeof sorts)[number];

/** Absent params mean the defaults. */
export interface LeadSearch {
  search?: string | undefined;
  temperature?: Temperature | undefined;
  sort?: Exclude<Sort, 'score'> | undefined;
  /** The person whose details are open. */
  lead?: string | undefined;
}

const known: readonly Temperature[] = ['hot', 'warm', 'cold'];

/** Validates the params. Lists every key, because the router would keep the raw value of a missing one. */
export function leadSearchOf({ search, temperature, sort, lead }: Record<string, unknown>): LeadSearch {
  // The router parses a bare number in the URL as a number.
  const words = typeof search === 'string' || typeof search === 'number' ? `${search}` : '';
  return {
    search: words === '' ? undefined : words,
    temperature: known.find((one) => one === temperature),
    sort: sort === 'lastSeen' || sort === 'newest' ? sort : undefined,
    lead: typeof lead === 'string' && lead !== '' ? lead : undefined,
  };
}

/** What the list is asked for. */
export interface LeadFilter {
  search: string;
  temperature: Temperature | null;
  sort: Sort;
}

/** Returns what the params ask for. */
export function filterOf({ search, temperature, sort }: LeadSearch): LeadFilter {
  return { search: search ?? '', temperature: temperature ?? null, sort: sort ?? 'score' };
}
