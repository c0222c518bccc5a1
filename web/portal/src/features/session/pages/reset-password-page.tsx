/** /reset-password: the landing page of a reset link. */
import { Anchor, Button, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { codeOf, messageOf } from '@vitrine/api';
import { useSignedIn } from '~/shared/api/session.ts';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { useRedeemPasswordReset } from '../api/session-mutations.ts';
import { NewPassword } from '../parts/new-password.tsx';
import { sessionTexts } from '../texts.ts';

/** Open to everyone, signed in or not: the link proves who they are. */
export function ResetPasswordPage() {
  const { code } = useSearch({ from: '/reset-password' });
  const redeem = useRedeemPasswordReset();
  const send = useOneAtATime(redeem);
  const dead = codeOf(redeem.error) === 'dead_link';
  if (code === '' || dead) return <DeadLink message={dead ? messageOf(redeem.error) : sessionTexts.resetDead} />;
  return (
    <TaskPage title={sessionTexts.choosePassword} lead={sessionTexts.choosePasswordLead}>
      <NewPassword
        label={sessionTexts.newPassword}
        submit={sessionTexts.savePassword}
        busy={redeem.isPending || redeem.isSuccess}
        refused={redeem.error}
        inline
        onSubmit={(password, refused) => send({ code, password }, { onError: refused })}
      />
    </TaskPage>
  );
}

function DeadLink({ message }: { message: string }) {
  const signedIn = useSignedIn();
  return (
    <TaskPage
      title={sessionTexts.linkFailed}
      footer={
        <Anchor component={Link} to={signedIn ? '/' : '/login'} underline="always">
          {signedIn ? sessionTexts.toHome : sessionTexts.backToSignIn}
        </Anchor>
      }
    >
      <Text role="alert">{message}</Text>
      {/* Signed-in people cannot open /forgot-password, but can request a link in Settings. */}
      <Button component={Link} to={signedIn ? '/settings' : '/forgot-password'}>
        {sessionTexts.requestNewLink}
      </Button>
    </TaskPage>
  );
}
