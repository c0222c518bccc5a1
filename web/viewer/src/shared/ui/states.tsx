/** Empty, error and loading states. */

import { Icon, type IconName } from '@vitrine/brand/icon';
import type { ReactNode } from 'react';
import { errorText } from '../language.ts';
import { SHARED } from '../lib/texts.ts';
import { Button } from './button.tsx';
import classes from './states.module.css';

interface StateProps {
  icon: IconName;
  title: string;
  text?: string;
  children?: ReactNode;
}

/** Replaces the whole screen with a message and an optional action. */
export function State({ icon, title, text, children }: StateProps) {
  return (
    <div className={classes.state}>
      <Icon name={icon} size={32} />
      <h1>{title}</h1>
      {text ? <p>{text}</p> : null}
      {children}
    </div>
  );
}

/** A failed load, with the server's message and a retry button. */
export function FailedState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <State icon="alert" title={SHARED.loadFailed} text={errorText(error)}>
        <Button onClick={onRetry}>{SHARED.tryAgain}</Button>
      </State>
    </div>
  );
}

/** The same inside a card: the rest of the screen has loaded. */
export function FailedPart({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className={classes.part}>
      <p>{errorText(error)}</p>
      <Button onClick={onRetry}>{SHARED.tryAgain}</Button>
    </div>
  );
}

/** A placeholder with the size of the final content. */
export function Skeleton({ height, width = '100%' }: { height: string; width?: string }) {
  return <span className={classes.skeleton} style={{ height, width }} aria-hidden="true" />;
}

/** Wraps skeletons and announces once that something is loading. */
export function Loading({ children, label = SHARED.loading }: { children: ReactNode; label?: string }) {
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        {label}
      </span>
      {children}
    </div>
  );
}
