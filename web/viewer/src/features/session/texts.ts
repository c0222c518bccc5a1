/** The words of signing in. */
export const SIGN_IN = {
  title: 'Sign in',
  joinTitle: (name: string) => `Join ${name}`,
  lead: 'We will e-mail you a magic link. No password is needed.',
  email: 'E-mail',
  submit: 'Send magic link',
  invalidEmail: 'Invalid email!',
  sent: 'Magic link sent successfully.',
  checkTitle: 'Check your mail',
  checkLead: (email: string) => `We sent a link to ${email}. Open it on this device to go on.`,
  resend: 'Resend Magic Link',
  resendIn: (seconds: number) => `Resend in ${seconds} s`,
  otherEmail: 'Use another e-mail',
  already: 'You are signed in',
  goOn: 'Continue',
  confirmEmail: 'Please provide your email for confirmation',
  completing: 'Signing you in',
  failedTitle: 'This link did not work',
  newLink: 'Get a new link',
  signOutPending:
    'You are signed out on this device. The server could not be reached and will be told as soon as possible.',
} as const;
