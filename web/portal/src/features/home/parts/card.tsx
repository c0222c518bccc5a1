/** A card beside the main column: title, link, and rows. */
import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import classes from './insights.module.css';
import { RetryFailed } from './retry-failed.tsx';

interface CardProps {
  title: string;
  link?: { to: string; label: string };
  children: ReactNode;
}

export function Card({ title, link, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Surface className={classes.card ?? ''}>
        <div className={classes.title}>
          <Title order={2} fz={14} id={id}>
            {title}
          </Title>
          {link !== undefined && (
            <Anchor component={Link} to={link.to} fz="sm">
              {link.label}
            </Anchor>
          )}
        </div>
        {children}
      </Surface>
    </section>
  );
}

/** What a card shows instead of rows. */
export function CardNote({ title, hint }: { title: string; hint?: string }) {
  return (
    <div className={classes.none}>
      <Text>{title}</Text>
      {hint !== undefined && (
        <Text c="dimmed" fz="sm">
          {hint}
        </Text>
      )}
    </div>
  );
}

/** What a card shows if its rows could not be loaded. */
export function CardFailed() {
  return (
    <div className={classes.none}>
      <Text mb="xs">{commonTexts.contentError}</Text>
      <RetryFailed />
    </div>
  );
}
