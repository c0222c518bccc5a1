/** What the home of an organisation without published playlists shows. */
import type { ReactNode } from 'react';
import classes from './empty-home.module.css';
import { brandTexts } from './texts.ts';

interface EmptyHomeProps {
  icon: ReactNode;
  /** A button. */
  children: ReactNode;
}

export function EmptyHome({ icon, children }: EmptyHomeProps) {
  return (
    <div className={classes.empty}>
      {icon}
      <h1>{brandTexts.emptyTitle}</h1>
      <p>{brandTexts.emptyText}</p>
      {children}
    </div>
  );
}
