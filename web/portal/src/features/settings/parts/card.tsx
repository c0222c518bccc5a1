/** A settings card: a heading, and rows that touch the edge. */
import { Group, Title } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { Surface } from '~/shared/ui/surface.tsx';
import classes from './card.module.css';

interface CardProps {
  title: string;
  /** Receives focus when the focused row is removed. */
  titleRef?: Ref<HTMLHeadingElement>;
  aside?: ReactNode;
  children: ReactNode;
}

export function Card({ title, titleRef, aside, children }: CardProps) {
  return (
    <Surface flush>
      <Group justify="space-between" className={classes.head} gap="xs">
        <Title order={3} fz={14} ref={titleRef} tabIndex={-1} className={classes.title}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Surface>
  );
}
