/** The email form of /login and /sign-up, and its dialogs. */
import { Button, Stack, TextInput } from '@mantine/core';
import { ApiProblem, statusOf } from '@vitrine/api';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { useCountdown } from '~/shared/lib/countdown.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isEmail } from '~/shared/lib/urls.ts';
import { useSendMagicLink } from '../api/session-mutations.ts';
import { type LinkAction, RESEND_AFTER_S } from '../model.ts';
import { sessionTexts } from '../texts.ts';
import { ProviderButtons } from './provider-buttons.tsx';

const MagicLinkDialog = lazyPart(() => import('./magic-link-dialog.tsx'), 'MagicLinkDialog');
const PasswordDialog = lazyPart(() => import('./password-dialog.tsx'), 'PasswordDialog');

/** An invalid address is silently not submitted. */
export function EmailSignIn({ action }: { action: LinkAction }) {
  const [email, setEmail] = useState('');
  const [dialog, setDialog] = useState<'none' | 'sent' | 'manual'>('none');
  const [wait, startWait] = useCountdown();
  const field = useRef<HTMLInputElement>(null);
  const mutation = useSendMagicLink(action);
  const send = useOneAtATime(mutation);
  const address = email.trim();
  const slowed = (error: Error) => {
    if (statusOf(error) !== 429) return;
    startWait((error instanceof ApiProblem ? error.retryAfter : null) ?? RESEND_AFTER_S);
  };
  // The server sends one link per minute; an earlier request would fail.
  const sent = () => {
    startWait(RESEND_AFTER_S);
    setDialog('sent');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEmail(address)) send(address, { onSuccess: sent });
  };
  const close = () => {
    setDialog('none');
    field.current?.focus();
  };
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            ref={field}
            label={commonTexts.email}
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            placeholder={sessionTexts.emailPlaceholder}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" loading={mutation.isPending && dialog === 'none'}>
            {action === 'login' ? sessionTexts.signIn : sessionTexts.signUp}
          </Button>
          {mutation.isError && dialog === 'none' && isEmail(address) && (
            // If the email failed, the dialog with the password option never opens, so offer it here.
            <Button variant="subtle" onClick={() => setDialog('manual')}>
              {sessionTexts.signInManually}
            </Button>
          )}
        </Stack>
      </form>
      <ProviderButtons action={action} />
      <Suspense>
        {dialog === 'sent' && (
          <MagicLinkDialog
            email={address}
            busy={mutation.isPending}
            wait={wait}
            onResend={() => send(address, { onSuccess: sent, onError: slowed })}
            onManual={() => setDialog('manual')}
            onClose={close}
          />
        )}
        {dialog === 'manual' && <PasswordDialog action={action} email={address} onClose={close} />}
      </Suspense>
    </>
  );
}
