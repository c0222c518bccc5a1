/** A part of an organisation's home, such as its pinned playlists. */
import { type ReactNode, useId } from 'react';
import classes from './home-section.module.css';

export function HomeSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
