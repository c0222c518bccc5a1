/** Shown when a screen fails to render or to load. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useState } from 'react';
import { PRODUCT } from '~/shared/lib/product.ts';
import { appTexts } from '../texts.ts';
import classes from './not-found-page.module.css';

/** Browser messages for a script that is missing or could not be fetched. */
const FILES_GONE = /dynamically imported module|importing a module script|preload css/i;

/** Checks for a newer version before reloading: after a deploy, the old version's files are gone. */
export function CrashScreen({ error }: { error?: unknown }) {
  useDocumentTitle(`${appTexts.crashTitle} · ${PRODUCT}`);
  const [busy, setBusy] = useState(false);
  const filesGone = error instanceof Error && FILES_GONE.test(error.message);
  const reload = () => {
    setBusy(true);
    // If this file cannot be loaded either, a plain reload is all that is left.
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
