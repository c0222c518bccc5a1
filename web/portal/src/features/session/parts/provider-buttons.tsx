/** Sign-in with the external identity providers, in a popup. */
import { Button, Divider, Stack, Text } from '@mantine/core';
import { IconBrandAppleFilled, IconBrandGoogleFilled } from '@tabler/icons-react';
import { commonTexts } from '~/shared/lib/texts.ts';
import type { LinkAction } from '../model.ts';
import { sessionTexts } from '../texts.ts';
import { useProviderSignIn } from '../use-provider-sign-in.ts';

const providers = [
  {
    id: 'google',
    name: commonTexts.providers.google,
    label: sessionTexts.continueWithGoogle,
    icon: IconBrandGoogleFilled,
  },
  { id: 'apple', name: commonTexts.providers.apple, label: sessionTexts.continueWithApple, icon: IconBrandAppleFilled },
] as const;

/** A provider that is not configured keeps its button and fails with its toast. */
export function ProviderButtons({ action }: { action: LinkAction }) {
  const { start, waitingFor, completing } = useProviderSignIn(action);
  const waiting = providers.find(({ id }) => id === waitingFor);
  return (
    <Stack gap="xs">
      <Divider label={sessionTexts.or} color="var(--vt-hairline)" styles={{ label: { color: 'var(--vt-dimmed)' } }} />
      {providers.map(({ id, label, icon: Icon }) => (
        <Button
          key={id}
          variant="default"
          leftSection={<Icon size={16} />}
          loading={completing === id}
          disabled={completing !== null && completing !== id}
          onClick={() => start(id)}
        >
          {label}
        </Button>
      ))}
      <Text role="status" fz="sm" c="dimmed" ta="center" hidden={waiting === undefined}>
        {waiting !== undefined && sessionTexts.continueIn(waiting.name)}
      </Text>
    </Stack>
  );
}
