/** The e-mail form of /login and /sign-up, and the dialogs that follow it. */
import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { isEmail } from '~/shared/lib/urls.ts';
import { useSendMagicLink } from '../api/session-mutations.ts';
import type { LinkAction } from '../model.ts';
import { sessionTexts } from '../texts.ts';
import { ProviderButtons } from './provider-buttons.tsx';

const MagicLinkDialog = lazyPart(() => import('./magic-link-dialog.tsx'), 'MagicLinkDialog');
const PasswordDialog = lazyPart(() => import('./password-dialog.tsx'), 'PasswordDialog');

/** An address that is none submits nothing, silently (spec section 5). */
export function EmailSignIn({ action }: { action: LinkAction }) {
  const [email, setEmail] = useState('');
  const [dialog, setDialog] = useState<'none' | 'sent' | 'manual'>('none');
  const send = useSendMagicLink(action);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    if (!isEmail(address)) return;
    send.mutate(address, { onSuccess: () => setDialog('sent') });
  };
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="E-mail"
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            placeholder="you@company.com"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" loading={send.isPending && dialog === 'none'}>
            {action === 'login' ? sessionTexts.signIn : sessionTexts.signUp}
          </Button>
        </Stack>
      </form>
      <ProviderButtons action={action} />
      <Suspense>
        {dialog === 'sent' && (
          <MagicLinkDialog
            email={email.trim()}
            busy={send.isPending}
            onResend={() => send.mutate(email.trim())}
            onManual={() => setDialog('manual')}
            onClose={() => setDialog('none')}
          />
        )}
        {dialog === 'manual' && (
          <PasswordDialog action={action} email={email.trim()} onClose={() => setDialog('none')} />
        )}
      </Suspense>
    </>
  );
}
