/** What the home of an organisation without published playlists shows. */
import type { ReactNode } from 'react';
import classes from './empty-home.module.css';

interface EmptyHomeProps {
  /** In the language of the app. */
  texts: { emptyTitle: string; emptyText: string };
  icon: ReactNode;
  /** A button. */
  children: ReactNode;
}

export function EmptyHome({ texts, icon, children }: EmptyHomeProps) {
  return (
    <div className={classes.empty}>
      {icon}
      <h1>{texts.emptyTitle}</h1>
      <p>{texts.emptyText}</p>
      {children}
    </div>
  );
}
