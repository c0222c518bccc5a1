/** Keeps the panel of uploads on the screen, whichever it is, for as long as there is something in it. */
import { notifications } from '@mantine/notifications';
import { Suspense } from 'react';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { uploads, useUploadOwner, useUploads } from '../api/upload-queue.ts';
import { uploadTexts } from '../texts.ts';
import classes from './upload-dock.module.css';

const UploadDock = lazyPart(() => import('./upload-dock.tsx'), 'UploadDock');

const PANEL = 'uploads';

/** Once a screen has called this the panel comes and goes with the queue, whatever screen there is. */
export function useUploadPanel(): void {
  useUploadOwner();
}

let shown = false;
uploads.subscribe(() => {
  const wanted = uploads.snapshot().some(({ followed }) => !followed);
  if (wanted === shown) return;
  shown = wanted;
  if (wanted) show();
  else notifications.hide(PANEL);
});

function show(): void {
  notifications.show({
    id: PANEL,
    message: (
      <Suspense>
        <Panel />
      </Suspense>
    ),
    autoClose: false,
    withCloseButton: false,
    role: 'region',
    'aria-label': uploadTexts.panel,
    classNames: {
      root: classes.frame ?? '',
      body: classes.body ?? '',
      description: classes.message ?? '',
    },
  });
}

/** What no dialog shows. */
function Panel() {
  return <UploadDock entries={useUploads().filter(({ followed }) => !followed)} />;
}
