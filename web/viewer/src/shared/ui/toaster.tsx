/** The toast container. */

import { Icon } from '@vitrine/brand/icon';
import { SHARED } from '../lib/texts.ts';
import classes from './toaster.module.css';
import { closeToast, useToasts } from './toasts.ts';

/** Mounted once, outside the screens. */
export function Toaster() {
  const toasts = useToasts();
  return (
    <section className={classes.stack} aria-label={SHARED.messages}>
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className={classes.toast}
          data-tone={toast.tone}
          role={toast.tone === 'failure' ? 'alert' : 'status'}
        >
          <Icon name={toast.tone === 'failure' ? 'alert' : 'check'} />
          <p>{toast.text}</p>
          <button type="button" aria-label={SHARED.closeMessage} onClick={() => closeToast(toast.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </section>
  );
}
