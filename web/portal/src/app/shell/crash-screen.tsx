/** Shown when a screen breaks while it is drawn, or cannot be loaded. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useState } from 'react';
import { PRODUCT } from '~/shared/lib/product.ts';
import { appTexts } from '../texts.ts';
import classes from './not-found-page.module.css';

/** Browsers' words for a script that is not there any more, or could not be fetched. */
const FILES_GONE = /dynamically imported module|importing a module script|preload css/i;

/** Reload looks for a newer version first: after a deploy the files of the old one are gone. */
export function CrashScreen({ error }: { error?: unknown }) {
  useDocumentTitle(`${appTexts.crashTitle} · ${PRODUCT}`);
  const [busy, setBusy] = useState(false);
  const filesGone = error instanceof Error && FILES_GONE.test(error.message);
  const reload = () => {
    setBusy(true);
    // Without the keeper's own file there is no worker in the way either.
    import('./app-worker.ts').then(
      ({ appWorker }) => appWorker.reloadFresh(),
      () => window.location.reload(),
    );
  };
  return (
    <Stack className={classes.page} align="center" justify="center" gap="sm" role="alert">
      <Title order={1} fz={28}>
        {appTexts.crashTitle}
      </Title>
      <Text c="dimmed">{appTexts.crashText}</Text>
      {filesGone && (
        <Text c="dimmed" maw={420}>
          {appTexts.filesGone}
        </Text>
      )}
      <Button mt="xs" loading={busy} onClick={reload}>
        {appTexts.reload}
      </Button>
    </Stack>
  );
}
