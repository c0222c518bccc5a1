/** The frame of a screen in the shell: width, title and actions. */
import { Group, Skeleton, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { PRODUCT } from '../lib/product.ts';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** Covers the title, whose end is still loading. */
  pending?: boolean;
  /** Buttons at the end of the title row. */
  actions?: ReactNode;
  /** Gives the actions their own row on narrow screens: for a title that loads and could push them there. */
  actionsBelow?: boolean;
  /** Link or badge above the title. */
  above?: ReactNode;
  children: ReactNode;
}

/** A screen with a visible title that is also the document title. */
export function Page({ title, pending = false, actions, actionsBelow = false, above, children }: PageProps) {
  useDocumentTitle(`${title} · ${PRODUCT}`);
  return (
    <div className={classes.page}>
      {above}
      <Group justify="space-between" align="center" mb="lg" gap="sm">
        <Title order={1} className={classes.title} data-loads={actionsBelow || undefined}>
          {pending ? (
            <Skeleton component="span" display="block" width="fit-content">
              {title}
            </Skeleton>
          ) : (
            title
          )}
        </Title>
        {actions !== undefined && (
          <Group gap="xs" className={classes.actions ?? ''} data-below={actionsBelow || undefined}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </div>
  );
}
