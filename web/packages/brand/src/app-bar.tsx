/** The bar above an organisation's screens, and the head of its home. */
import type { ReactNode } from 'react';
import classes from './app-bar.module.css';
import { Logo } from './logo.tsx';

/** Classes of what is passed in: the link around the brand, and the navigation. */
export const appBar = { brand: classes.brand ?? '', nav: classes.nav ?? '' } as const;

/** Inside an element with the variables of `brandVariables`. */
export function AppBar({ children }: { children: ReactNode }) {
  return (
    <header className={classes.header}>
      <div className={classes.bar}>{children}</div>
    </header>
  );
}

interface BrandNameProps {
  name: string;
  logoUrl: string;
  /** Whether the name is shown elsewhere in the bar. */
  hidden?: boolean;
}

export function BrandName({ name, logoUrl, hidden = false }: BrandNameProps) {
  return (
    <>
      <Logo name={name} url={logoUrl} />
      <span className={hidden ? 'visually-hidden' : classes.name}>{name}</span>
    </>
  );
}

/** Heading and strapline above the playlists. The name is in the bar already, so its heading is for screen readers. */
export function HomeIntro({ name, description }: { name: string; description: string }) {
  return (
    <header className={classes.intro}>
      <h1>{name}</h1>
      {description === '' ? null : <p>{description}</p>}
    </header>
  );
}
