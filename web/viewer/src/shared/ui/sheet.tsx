/** A centered card for a single task: sign-in, details, consent. */
import type { ReactNode } from 'react';
import classes from './sheet.module.css';

/**
 * `head` is shown above the card, such as the organisation's logo and name; `branded` colors the page around it, and
 * `backdrop` is an image behind both.
 */
export function Sheet({
  title,
  lead,
  head,
  branded = false,
  backdrop,
  children,
}: {
  title: string;
  lead?: string;
  head?: ReactNode;
  branded?: boolean;
  backdrop?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main className={classes.page} data-sheet="" data-branded={branded || undefined}>
      {backdrop}
      {head ? <div className={classes.head}>{head}</div> : null}
      <div className={classes.card}>
        <h1>{title}</h1>
        {lead ? <p className={classes.lead}>{lead}</p> : null}
        {children}
      </div>
    </main>
  );
}
