/** Ending a session. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { settingsTexts } from '../texts.ts';
import { sessionsQuery } from './session-queries.ts';

/** Ends one session; a 404 counts as success, since it has already ended. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (uid: string) => {
      try {
        await answerOf(api.DELETE('/v1/auth/sessions/{uid}', { params: { path: { uid } } }));
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
    },
    onSuccess: (_nothing, uid) => {
      client.setQueryData(sessionsQuery.queryKey, (all) => all?.filter((one) => one.uid !== uid));
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    meta: { success: settingsTexts.sessionEnded, failure: 'server' },
  });
}
