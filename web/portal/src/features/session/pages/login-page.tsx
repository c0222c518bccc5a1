/** /login: sign in by magic link, provider or password. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { EmailSignIn } from '../parts/email-sign-in.tsx';
import { sessionTexts } from '../texts.ts';

export function LoginPage() {
  return (
    <TaskPage
      title={sessionTexts.signIn}
      lead={sessionTexts.signInLead}
      footer={
        <>
          {sessionTexts.newToProduct}{' '}
          <Anchor component={Link} to="/sign-up" underline="always">
            {sessionTexts.signUp}
          </Anchor>
        </>
      }
    >
      <EmailSignIn action="login" />
    </TaskPage>
  );
}
