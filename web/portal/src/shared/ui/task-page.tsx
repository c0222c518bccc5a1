/** The frame of every screen outside the shell: the product's logo and one centered card. */
import { Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { PRODUCT } from '~/shared/lib/product.ts';
import classes from './task-page.module.css';

interface TaskPageProps {
  title: string;
  lead?: ReactNode;
  /** A wider card, for two-column forms and lists. */
  wide?: boolean;
  /** The widest card, for a form with something beside it. */
  widest?: boolean;
  children?: ReactNode;
  footer?: ReactNode;
}

export function TaskPage({ title, lead, wide = false, widest = false, children, footer }: TaskPageProps) {
  useDocumentTitle(`${title} · ${PRODUCT}`);
  return (
    <main className={classes.page} tabIndex={-1}>
      <div className={classes.column} data-wide={wide || undefined} data-widest={widest || undefined}>
        <div className={classes.mark}>
          <img src="/icon.svg" alt="" width={28} height={28} />
          <span>{PRODUCT}</span>
        </div>
        <div className={classes.card}>
          <Stack gap="md">
            <div>
              <Title order={1} fz={22}>
                {title}
              </Title>
              {lead !== undefined && (
                <Text c="dimmed" mt={6} component="div">
                  {lead}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </div>
        {footer !== undefined && (
          <Text ta="center" c="dimmed" component="div">
            {footer}
          </Text>
        )}
      </div>
    </main>
  );
}
