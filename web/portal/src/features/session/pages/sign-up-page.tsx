/** /sign-up: the same as /login, for new people. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { EmailSignIn } from '../parts/email-sign-in.tsx';
import { sessionTexts } from '../texts.ts';

export function SignUpPage() {
  return (
    <TaskPage
      title={sessionTexts.signUp}
      lead={sessionTexts.signUpLead}
      footer={
        <>
          {sessionTexts.haveAccount}{' '}
          <Anchor component={Link} to="/login" underline="always">
            {sessionTexts.signIn}
          </Anchor>
        </>
      }
    >
      <EmailSignIn action="signup" />
    </TaskPage>
  );
}
