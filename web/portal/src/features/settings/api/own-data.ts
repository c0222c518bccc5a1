/** What is stored about the person, and erasing it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, codeOf, messageOf } from '@vitrine/api';
import { forgetPerson } from '~/features/session/api/begin.ts';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { download } from '~/shared/lib/download.ts';
import { settingsTexts } from '../texts.ts';

/** Saves all that is stored about the person as a JSON file. */
export function useExportOwnData() {
  return useMutation({
    mutationFn: async () =>
      download(settingsTexts.exportName, await answerOf(api.GET('/v1/profiles/export', { parseAs: 'blob' }))),
    meta: { failure: 'server' },
  });
}

/** Refusals that the dialog explains. */
const EXPLAINED = ['last_super_admin', 'sole_manager'];

/** Returns whether the person has to hand something over, or end it, before the account can be erased. */
export function isHeld(error: unknown): boolean {
  return EXPLAINED.includes(codeOf(error));
}

/** Erases the person's account; `email` confirms it. The session ends with it. */
export function useEraseAccount() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (email: string) => answerOf(api.DELETE('/v1/profiles', { body: { email } })),
    onSuccess: async () => {
      session.clear();
      forgetPerson();
      // Leave first: mounted screens would refetch the cleared queries while signed out.
      await navigate({ to: '/login' });
      client.clear();
    },
    meta: {
      success: settingsTexts.erased,
      failure: (error) => (isHeld(error) ? null : messageOf(error)),
    },
  });
}
