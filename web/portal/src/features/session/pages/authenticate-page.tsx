/** /authenticate: the landing of a magic link. */
import { Anchor, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { storage } from '~/shared/lib/storage.ts';
import { isEmail } from '~/shared/lib/urls.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { useRedeemMagicLink } from '../api/session-mutations.ts';
import { needsOnboarding, ONBOARDING, takeRedirect } from '../model.ts';
import { sessionTexts } from '../texts.ts';

/** Completes the link with the stored e-mail, or asks for it; shows the provider's message on the page. */
export function AuthenticatePage() {
  const { action, code } = useSearch({ from: '/authenticate' });
  const navigate = useNavigate();
  const redeem = useRedeemMagicLink();
  const [known] = useState(() => storage.get('emailForSignIn') ?? '');
  const begun = useRef(false);

  const complete = (email: string) =>
    redeem.mutate(
      { email, code },
      {
        onSuccess: (signedIn) => {
          const target = action === 'login' && !needsOnboarding(signedIn) ? takeRedirect() : ONBOARDING;
          void navigate({ href: target, replace: true });
        },
      },
    );

  // A link may be redeemed once only, so the effect must not run a second time.
  useEffect(() => {
    if (begun.current || known === '' || code === '') return;
    begun.current = true;
    complete(known);
  });

  if (code === '' || redeem.isError) {
    return <FailedLink message={redeem.isError ? messageOf(redeem.error) : sessionTexts.linkDead} />;
  }
  if (known === '' && redeem.isIdle) return <ConfirmEmail onEmail={complete} />;
  return (
    <TaskPage title="Signing you in">
      <Group gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text c="dimmed">One moment</Text>
      </Group>
    </TaskPage>
  );
}

function FailedLink({ message }: { message: string }) {
  return (
    <TaskPage
      title="This link did not work"
      footer={
        <Anchor component={Link} to="/login" underline="always">
          Back to sign in
        </Anchor>
      }
    >
      <Text role="alert">{message}</Text>
    </TaskPage>
  );
}

function ConfirmEmail({ onEmail }: { onEmail: (email: string) => void }) {
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEmail(email)) onEmail(email.trim());
  };
  return (
    <TaskPage title="Confirm your e-mail" lead={sessionTexts.provideEmail}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit">Continue</Button>
        </Stack>
      </form>
    </TaskPage>
  );
}
