/** /authenticate: the landing page of a magic link. */
import { Anchor, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { storage } from '~/shared/lib/storage.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isEmail } from '~/shared/lib/urls.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { useRedeemMagicLink } from '../api/session-mutations.ts';
import { failureOf, isPassing } from '../model.ts';
import { sessionTexts } from '../texts.ts';

const toSignIn = (
  <Anchor component={Link} to="/login" underline="always">
    {sessionTexts.backToSignIn}
  </Anchor>
);

/** Completes the link with the stored email, or asks for it; shows the server's message on the page. */
export function AuthenticatePage() {
  const { action, code } = useSearch({ from: '/authenticate' });
  const redeem = useRedeemMagicLink(action);
  const send = useOneAtATime(redeem);
  const [known] = useState(() => storage.get('emailForSignIn') ?? '');
  // Ask for the email if the link was opened on another device, or failed with the email stored here.
  const [asking, setAsking] = useState(known === '');
  const begun = useRef(false);

  // A link can be redeemed only once, so the effect must not run twice.
  useEffect(() => {
    if (begun.current || known === '' || code === '') return;
    begun.current = true;
    send({ email: known, code });
  });

  if (code === '') return <FailedLink message={sessionTexts.linkDead} />;
  if (asking) {
    return (
      <ConfirmEmail
        busy={redeem.isPending || redeem.isSuccess}
        failure={redeem.isError ? failureOf(redeem.error) : null}
        onEmail={(email) => send({ email, code })}
      />
    );
  }
  if (redeem.isError && isPassing(redeem.error)) {
    return <NotNow message={failureOf(redeem.error)} onRetry={() => send({ email: known, code })} />;
  }
  if (redeem.isError) return <FailedLink message={messageOf(redeem.error)} onOther={() => setAsking(true)} />;
  return (
    <TaskPage title={sessionTexts.signingIn}>
      <Group gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text c="dimmed">{sessionTexts.oneMoment}</Text>
      </Group>
    </TaskPage>
  );
}

/** The call failed before the link was checked, so it may still be valid. */
function NotNow({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <TaskPage title={sessionTexts.notSignedIn} footer={toSignIn}>
      <Text role="alert">{message}</Text>
      <Button onClick={onRetry}>{commonTexts.tryAgain}</Button>
    </TaskPage>
  );
}

function FailedLink({ message, onOther }: { message: string; onOther?: () => void }) {
  return (
    <TaskPage title={sessionTexts.linkFailed} footer={toSignIn}>
      <Text role="alert">{message}</Text>
      {onOther !== undefined && (
        <Button variant="default" onClick={onOther}>
          {sessionTexts.tryAnotherEmail}
        </Button>
      )}
    </TaskPage>
  );
}

interface ConfirmEmailProps {
  busy: boolean;
  /** Why the last address failed. */
  failure: string | null;
  onEmail: (email: string) => void;
}

/** A wrong address does not use up the link; another can be tried. */
function ConfirmEmail({ busy, failure, onEmail }: ConfirmEmailProps) {
  const [email, setEmail] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEmail(email)) onEmail(email.trim());
  };
  // Focus the only field, again after each failure.
  useEffect(() => {
    if (!busy) field.current?.focus();
  }, [busy]);
  return (
    <TaskPage title={sessionTexts.confirmEmail} lead={sessionTexts.provideEmail} footer={toSignIn}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            ref={field}
            label={commonTexts.email}
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {failure !== null && !busy && (
            <Text role="alert" c="var(--mantine-color-error)" fz="sm">
              {failure}
            </Text>
          )}
          <Button type="submit" loading={busy}>
            {commonTexts.continue}
          </Button>
        </Stack>
      </form>
    </TaskPage>
  );
}
