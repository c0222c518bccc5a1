/** Sign-in by the two outside identity providers. */
import { Button, Divider, Stack } from '@mantine/core';
import { IconBrandAppleFilled, IconBrandGoogleFilled } from '@tabler/icons-react';
import { toastFailure } from '~/shared/ui/toasts.ts';
import type { LinkAction } from '../model.ts';
import { sessionTexts } from '../texts.ts';

/** A provider that is not set up keeps its button and answers with its given toast (rules 5.1). */
export function ProviderButtons({ action }: { action: LinkAction }) {
  const failed =
    action === 'login'
      ? { google: sessionTexts.googleSignInFailed, apple: sessionTexts.appleSignInFailed }
      : { google: sessionTexts.googleSignUpFailed, apple: sessionTexts.appleSignUpFailed };
  return (
    <Stack gap="xs">
      <Divider label="or" color="var(--vt-hairline)" styles={{ label: { color: 'var(--vt-dimmed)' } }} />
      <Button
        variant="default"
        leftSection={<IconBrandGoogleFilled size={16} />}
        onClick={() => toastFailure(failed.google)}
      >
        {sessionTexts.continueWithGoogle}
      </Button>
      <Button
        variant="default"
        leftSection={<IconBrandAppleFilled size={16} />}
        onClick={() => toastFailure(failed.apple)}
      >
        {sessionTexts.continueWithApple}
      </Button>
    </Stack>
  );
}
