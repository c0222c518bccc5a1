/** /login: a magic link, a provider, or a password. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { EmailSignIn } from '../parts/email-sign-in.tsx';
import { sessionTexts } from '../texts.ts';

export function LoginPage() {
  return (
    <TaskPage
      title={sessionTexts.signIn}
      lead="We will e-mail you a magic link."
      footer={
        <>
          New here?{' '}
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
