/** The link to an item, with the current time if wanted. */
import { useEffect, useId, useRef, useState } from 'react';
import { useBackCloses } from '~/shared/lib/back-closes.ts';
import { Button } from '~/shared/ui/button.tsx';
import dialogs from '~/shared/ui/confirm-dialog.module.css';
import fields from '~/shared/ui/field.module.css';
import { showToast } from '~/shared/ui/toasts.ts';
import { clock, shareLink } from './model.ts';
import classes from './share-dialog.module.css';
import { PLAYLISTS } from './texts.ts';

interface ShareDialogProps {
  /** Address of the item. */
  link: string;
  title: string;
  /** Where playback is, in milliseconds; 0 offers no time. */
  positionMs: number;
  onClose: () => void;
}

/** Mount to open. */
export function ShareDialog({ link, title, positionMs, onClose }: ShareDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useBackCloses(true, onClose);
  const [timed, setTimed] = useState(false);
  const seconds = Math.floor(positionMs / 1000);
  const url = shareLink(link, timed ? seconds : 0);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      showToast('success', PLAYLISTS.linkCopied);
      onClose();
    } catch {
      showToast('failure', PLAYLISTS.copyFailed);
    }
  };
  // A person who closes the system's dialog has not failed at anything.
  const share = () => navigator.share({ title, url }).then(onClose, () => undefined);
  return (
    <dialog ref={dialog} className={dialogs.dialog} aria-labelledby={`${id}-title`} onClose={onClose}>
      <h2 id={`${id}-title`}>{PLAYLISTS.shareItem(title)}</h2>
      <div className={classes.body}>
        <div className={fields.field}>
          <label htmlFor={`${id}-link`}>{PLAYLISTS.link}</label>
          <input id={`${id}-link`} readOnly value={url} onFocus={selectAll} />
        </div>
        {seconds > 0 ? (
          <label className={classes.check}>
            <input type="checkbox" checked={timed} onChange={(event) => setTimed(event.target.checked)} />
            {PLAYLISTS.startAt(clock(positionMs))}
          </label>
        ) : null}
      </div>
      <div className={dialogs.buttons}>
        <Button onClick={onClose}>{PLAYLISTS.close}</Button>
        {'share' in navigator ? (
          <Button tone="primary" onClick={() => void share()}>
            {PLAYLISTS.share}
          </Button>
        ) : (
          <Button tone="primary" onClick={() => void copy()}>
            {PLAYLISTS.copyLink}
          </Button>
        )}
      </div>
    </dialog>
  );
}

/** Selects the address, of which the beginning stays in view. */
function selectAll({ target }: { target: HTMLInputElement }): void {
  target.setSelectionRange(0, target.value.length, 'backward');
  target.scrollLeft = 0;
}
