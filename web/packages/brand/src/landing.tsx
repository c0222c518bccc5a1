/** The page a joining link opens: wallpaper, logo, name, strapline and one button. */
import type { ReactNode } from 'react';
import { imageSet } from './image-sizes.ts';
import classes from './landing.module.css';
import { Logo } from './logo.tsx';

interface LandingProps {
  name: string;
  description: string;
  logoUrl: string;
  /** URL of the wallpaper, or empty. */
  backgroundUrl: string;
  /** The button, with the class `landingButton`. */
  children: ReactNode;
}

/** The class of the button. */
export const landingButton = classes.join ?? '';

/** Inside an element with the variables of `brandVariables`. */
export function Landing({ name, description, logoUrl, backgroundUrl, children }: LandingProps) {
  return (
    <div className={classes.container}>
      <div className={classes.page}>
        {backgroundUrl === '' ? null : (
          <img className={classes.wallpaper} {...imageSet(backgroundUrl, 'wallpaper', 'max(100vw, 67vh)')} alt="" />
        )}
        <div className={classes.panel}>
          <Logo name={name} url={logoUrl} size={72} />
          <h1>{name}</h1>
          <p>{description}</p>
          {children}
        </div>
      </div>
    </div>
  );
}
