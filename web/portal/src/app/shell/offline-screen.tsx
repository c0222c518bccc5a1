/** The shell when the first load failed offline: says why and retries. */
import { Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useDocumentTitle, useWindowEvent } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { PRODUCT } from '~/shared/lib/product.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { appTexts } from '../texts.ts';
import classes from './not-found-page.module.css';
import shellClasses from './shell.module.css';

/** Probes the server on demand and when the browser is back online, then restarts the shell. */
export function OfflineScreen({ onBack }: { onBack: () => void }) {
  useDocumentTitle(`${appTexts.offlineTitle} · ${PRODUCT}`);
  const probe = useMutation({
    mutationFn: () => answerOf(api.GET('/v1/config')),
    networkMode: 'always',
    onSuccess: onBack,
  });
  useWindowEvent('online', () => probe.mutate());
  return (
    <div className={shellClasses.frame}>
      <div className={shellClasses.rail}>
        <Mark className={shellClasses.railMark} />
      </div>
      <header className={shellClasses.topbar}>
        <Mark className={shellClasses.mark} />
      </header>
      <main id="content" tabIndex={-1} className={shellClasses.content}>
        <Stack className={classes.page} align="center" justify="center" gap="sm">
          <ThemeIcon size={56} radius="xl" variant="light" color="gray" aria-hidden>
            <IconWifiOff size={28} stroke={1.6} />
          </ThemeIcon>
          <Title order={1} fz={22}>
            {appTexts.offlineTitle}
          </Title>
          <Text c="dimmed" maw={420}>
            {appTexts.offlineText}
          </Text>
          <Button variant="default" mt="xs" loading={probe.isPending} onClick={() => probe.mutate()}>
            {commonTexts.tryAgain}
          </Button>
          <Text c="dimmed" fz="sm" role="status" mih={21}>
            {probe.isError ? appTexts.stillOffline : ''}
          </Text>
        </Stack>
      </main>
    </div>
  );
}

function Mark({ className }: { className: string | undefined }) {
  return (
    <Group gap={8} wrap="nowrap" className={className ?? ''}>
      <img src="/icon.svg" alt="" width={22} height={22} />
      {PRODUCT}
    </Group>
  );
}
