/** Polls the items that are processed, or get a poster, one by one, at increasing intervals, instead of refetching long lists. */
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { type ContentOut, statusOf } from '@vitrine/api';
import { useEffect } from 'react';
import { contentQuery, isMoving } from './content-queries.ts';

/** Items polled at a time; the server processes only a few at once, in order. */
const FOLLOWED = 4;

/** Returns the items with those in processing up to date; invalidates the lists when one is done. */
export function useMoving(orgId: string, listed: readonly ContentOut[]): readonly ContentOut[] {
  const client = useQueryClient();
  const moving = listed
    .filter(isMoving)
    // A draft may wait a day for its file, so it goes last.
    .sort((one, other) => Number(one.type === 'draft') - Number(other.type === 'draft'))
    .slice(0, FOLLOWED);
  const rows = useQueries({
    queries: moving.map((item) => ({ ...contentQuery(orgId, item.uid), initialData: item })),
  });
  const rested = rows
    .flatMap(({ data, error }, index) => (isAtRest(data, error) ? [moving[index]?.uid] : []))
    .join(' ');
  useEffect(() => {
    if (rested !== '') void client.invalidateQueries({ queryKey: ['org', orgId] });
  }, [client, orgId, rested]);
  const byId = new Map(rows.map(({ data }) => [data.uid, data]));
  return listed.map((item) => byId.get(item.uid) ?? item);
}

function isAtRest(item: ContentOut, error: Error | null): boolean {
  return !isMoving(item) || (error !== null && statusOf(error) === 404);
}
