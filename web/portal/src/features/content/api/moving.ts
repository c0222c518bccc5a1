/** Items the server still works on: asked for one by one and ever less often, so that long lists rest. */
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { type ContentOut, statusOf } from '@vitrine/api';
import { useEffect } from 'react';
import { isProcessing } from '../model.ts';
import { contentQuery } from './content-queries.ts';

/** Items of one list that are followed at a time; the server works on few, and in the order they came. */
const FOLLOWED = 4;

/** Returns the listed items, the moving ones as they are by now; the lists are loaded again when one has come to rest. */
export function useMoving(orgId: string, listed: readonly ContentOut[]): readonly ContentOut[] {
  const client = useQueryClient();
  const moving = listed
    .filter(isProcessing)
    // A draft may wait for its file for a day.
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
  return !isProcessing(item) || (error !== null && statusOf(error) === 404);
}
