/** Sign-in methods: email, password, providers. */
import { Badge } from '@mantine/core';
import { IconBrandAppleFilled, IconBrandGoogleFilled, IconKey, IconLink, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem, type MethodsOut, messageOf } from '@vitrine/api';
import { methodsQuery, useSendVerification } from '~/features/session/api/methods.ts';
import { useSendPasswordReset } from '~/features/session/api/session-mutations.ts';
import { sessionTexts } from '~/features/session/texts.ts';
import { useCountdown } from '~/shared/lib/countdown.ts';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { WaitingButton } from '~/shared/ui/waiting-button.tsx';
import { providersOf } from '../model.ts';
import { settingsTexts } from '../texts.ts';
import { Card } from './card.tsx';
import { Row, Rows, RowsSkeleton } from './rows.tsx';

const icons = { Google: IconBrandGoogleFilled, Apple: IconBrandAppleFilled } as const;

export function Methods() {
  const methods = useQuery(methodsQuery);
  return (
    <Card title={settingsTexts.methodsTitle}>
      {methods.isLoadingError ? (
        <ErrorState message={messageOf(methods.error)} onRetry={() => void methods.refetch()} />
      ) : methods.data === undefined ? (
        <RowsSkeleton rows={['plain', 'button', 'plain', 'plain']} />
      ) : (
        <Rows label={settingsTexts.methodsTitle}>
          <EmailRow methods={methods.data} />
          <PasswordRow methods={methods.data} />
          {providersOf(methods.data).map(({ name, linked }) => (
            <Row
              key={name}
              icon={name in icons ? icons[name as keyof typeof icons] : IconLink}
              title={name}
              detail={linked ? settingsTexts.linked : settingsTexts.notLinked}
            />
          ))}
        </Rows>
      )}
    </Card>
  );
}

function EmailRow({ methods: { email, emailVerified } }: { methods: MethodsOut }) {
  const mutation = useSendVerification();
  const send = useOneAtATime(mutation);
  const [wait, slowed] = useSlowed();
  return (
    <Row
      icon={IconMail}
      title={
        <>
          {commonTexts.email}
          <Badge color={emailVerified ? 'green' : 'yellow'}>
            {emailVerified ? settingsTexts.confirmed : settingsTexts.notConfirmed}
          </Badge>
        </>
      }
      detail={email === '' ? commonTexts.notAvailable : email}
      action={
        emailVerified ? undefined : (
          <MailButton busy={mutation.isPending} wait={wait} onClick={() => send(undefined, { onError: slowed })}>
            {sessionTexts.sendVerification}
          </MailButton>
        )
      }
    />
  );
}

function PasswordRow({ methods: { email, password } }: { methods: MethodsOut }) {
  const mutation = useSendPasswordReset();
  const send = useOneAtATime(mutation);
  const [wait, slowed] = useSlowed();
  return (
    <Row
      icon={IconKey}
      title={settingsTexts.password}
      detail={password ? settingsTexts.passwordSet : settingsTexts.passwordNotSet}
      action={
        email === '' ? undefined : (
          <MailButton busy={mutation.isPending} wait={wait} onClick={() => send(email, { onError: slowed })}>
            {password ? sessionTexts.sendResetLink : settingsTexts.setPassword}
          </MailButton>
        )
      }
    />
  );
}

interface MailButtonProps {
  busy: boolean;
  wait: number;
  onClick: () => void;
  children: string;
}

function MailButton({ busy, wait, onClick, children }: MailButtonProps) {
  return (
    <WaitingButton size="xs" variant="default" loading={busy} wait={wait} onClick={onClick}>
      {children}
    </WaitingButton>
  );
}

/** Seconds until the next email, from the server's Retry-After. */
function useSlowed(): [wait: number, slowed: (error: Error) => void] {
  const [wait, start] = useCountdown();
  const slowed = (error: Error) => {
    if (error instanceof ApiProblem && error.retryAfter !== null) start(error.retryAfter);
  };
  return [wait, slowed];
}
