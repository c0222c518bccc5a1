/** A settings section: its description beside its cards, or above them on small screens. */
import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  hint: string;
  children: ReactNode;
}

export function Section({ title, hint, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.about}>
        <Title order={2} fz={16} id={id}>
          {title}
        </Title>
        <Text c="dimmed" mt={2}>
          {hint}
        </Text>
      </div>
      <div className={classes.cards}>{children}</div>
    </section>
  );
}
