/** A card of a report: title, actions, and the zone of its numbers. */
import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Surface } from '~/shared/ui/surface.tsx';
import { dayIn } from '../model.ts';
import { analyticsTexts } from '../texts.ts';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  hint?: string | undefined;
  actions?: ReactNode;
  /** Named below what depends on it. */
  zone?: string | undefined;
  /** Start of the first day that is cut in the zone, if earlier ones are cut in another. */
  zoneSince?: string | null | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function Section({ title, hint, actions, zone, zoneSince, className, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${classes.section} ${className ?? ''}`}>
      <Surface className={classes.card ?? ''}>
        <div className={classes.head}>
          <div className={classes.words}>
            <Title order={2} fz={16} id={id}>
              {title}
            </Title>
            {hint !== undefined && (
              <Text c="dimmed" fz="sm">
                {hint}
              </Text>
            )}
          </div>
          {actions !== undefined && <div className={classes.actions}>{actions}</div>}
        </div>
        {children}
        {zone !== undefined && (
          <Text c="dimmed" fz="xs" mt="xs">
            {analyticsTexts.zone(zone)}
            {typeof zoneSince === 'string' && ` ${analyticsTexts.zoneSince(dayIn(zoneSince, zone))}`}
          </Text>
        )}
      </Surface>
    </section>
  );
}
