/** A card: flat, with a hairline border. */
import type { ElementType, ReactNode } from 'react';
import classes from './surface.module.css';

interface SurfaceProps {
  children: ReactNode;
  /** No padding, for images and tables that touch the edge. */
  flush?: boolean;
  as?: ElementType;
  className?: string;
  /** Names a section. */
  label?: string;
}

export function Surface({ children, flush = false, as: Tag = 'div', className, label }: SurfaceProps) {
  const names = [classes.surface, flush ? classes.flush : '', className ?? ''].filter(Boolean).join(' ');
  return (
    <Tag className={names} aria-label={label}>
      {children}
    </Tag>
  );
}
