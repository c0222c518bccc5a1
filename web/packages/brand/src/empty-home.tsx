/** What the home of an organisation without published playlists shows. */
import type { ReactNode } from 'react';
import classes from './empty-home.module.css';
import { brandTexts } from './texts.ts';

interface EmptyHomeProps {
  /** In the language of the app; English by default. */
  texts?: { emptyTitle: string; emptyText: string };
  icon: ReactNode;
  /** A button. */
  children: ReactNode;
}

export function EmptyHome({ texts = brandTexts, icon, children }: EmptyHomeProps) {
  return (
    <div className={classes.empty}>
      {icon}
      <h1>{texts.emptyTitle}</h1>
      <p>{texts.emptyText}</p>
      {children}
    </div>
  );
}
