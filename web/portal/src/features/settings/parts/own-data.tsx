/** What is stored about the person: a file with all of it, and erasing the account. */
import { Button } from '@mantine/core';
import { IconFileDownload, IconUserX } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { useExportOwnData } from '../api/own-data.ts';
import { settingsTexts } from '../texts.ts';
import { Card } from './card.tsx';
import { Row, Rows } from './rows.tsx';

const EraseDialog = lazyPart(() => import('./erase-dialog.tsx'), 'EraseDialog');

export function OwnData() {
  const [erasing, setErasing] = useState(false);
  const save = useExportOwnData();
  return (
    <Card title={settingsTexts.ownDataTitle}>
      <Rows label={settingsTexts.ownDataTitle}>
        <Row
          icon={IconFileDownload}
          title={settingsTexts.stored}
          detail={settingsTexts.storedHint}
          action={
            <Button variant="default" size="xs" loading={save.isPending} onClick={() => save.mutate()}>
              {settingsTexts.exportStored}
            </Button>
          }
        />
        <Row
          icon={IconUserX}
          title={settingsTexts.erase}
          detail={settingsTexts.eraseHint}
          action={
            <Button variant="light" color="red" size="xs" onClick={() => setErasing(true)}>
              {settingsTexts.eraseAction}
            </Button>
          }
        />
      </Rows>
      <Suspense>{erasing && <EraseDialog onClose={() => setErasing(false)} />}</Suspense>
    </Card>
  );
}
