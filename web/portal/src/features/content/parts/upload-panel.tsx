/** Keeps the upload panel visible on every screen while it has entries. */
import { notifications } from '@mantine/notifications';
import { Suspense } from 'react';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { uploads, useUploadOwner, useUploads } from '../api/upload-queue.ts';
import { uploadTexts } from '../texts.ts';
import classes from './upload-dock.module.css';

const UploadDock = lazyPart(() => import('./upload-dock.tsx'), 'UploadDock');

const PANEL = 'uploads';

/** After the first call, the panel follows the queue on every screen. */
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

/** Uploads that no dialog shows. */
function Panel() {
  return <UploadDock entries={useUploads().filter(({ followed }) => !followed)} />;
}
