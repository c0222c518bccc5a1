/** /verify-email: the landing page of a confirmation email. */
import { Button, Group, Loader, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { codeOf, messageOf } from '@vitrine/api';
import { useEffect, useRef } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { isVerifiedAlready, useRedeemVerification, useSendVerification } from '../api/methods.ts';
import { SendVerificationButton } from '../parts/send-verification-button.tsx';
import { sessionTexts } from '../texts.ts';

const continueButton = (
  <Button component={Link} to="/">
    {commonTexts.continue}
  </Button>
);

/** Redeems the code once and shows the result. */
export function VerifyEmailPage() {
  const { code } = useSearch({ from: '/private/verify-email' });
  const redeem = useRedeemVerification();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current || code === '') return;
    begun.current = true;
    redeem.mutate(code);
  });

  if (redeem.isSuccess) return <Confirmed already={redeem.data.already} />;
  if (code === '') return <Failed message={sessionTexts.verifyDead} />;
  if (redeem.isError) {
    const dead = codeOf(redeem.error) === 'dead_link';
    return <Failed message={messageOf(redeem.error)} {...(dead ? {} : { onRetry: () => redeem.mutate(code) })} />;
  }
  return (
    <TaskPage title={sessionTexts.confirmingEmail}>
      <Group gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text c="dimmed">{sessionTexts.oneMoment}</Text>
      </Group>
    </TaskPage>
  );
}

function Confirmed({ already }: { already: boolean }) {
  return (
    <TaskPage title={sessionTexts.emailConfirmed}>
      <Group gap="sm" wrap="nowrap" role="status">
        <IconCircleCheck size={24} stroke={1.7} color="var(--vt-green-6)" aria-hidden />
        <Text>{already ? sessionTexts.alreadyVerified : sessionTexts.verified}</Text>
      </Group>
      {continueButton}
    </TaskPage>
  );
}

/** Offers a new email for a dead link, or a retry after any other error. */
function Failed({ message, onRetry }: { message: string; onRetry?: () => void }) {
  const mutation = useSendVerification();
  if (isVerifiedAlready(mutation.error)) return <Confirmed already />;
  return (
    <TaskPage title={sessionTexts.emailNotConfirmed}>
      <Text role="alert">{message}</Text>
      {onRetry === undefined ? (
        <SendVerificationButton mutation={mutation} />
      ) : (
        <Button variant="default" onClick={onRetry}>
          {commonTexts.tryAgain}
        </Button>
      )}
      {continueButton}
    </TaskPage>
  );
}
