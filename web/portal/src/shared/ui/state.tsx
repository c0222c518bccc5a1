/** Empty and error states. */
import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { commonTexts } from '../lib/texts.ts';
import classes from './state.module.css';

interface EmptyStateProps {
  icon: TablerIcon;
  title: string;
  hint?: string;
  /** The suggested next step. */
  action?: ReactNode;
}

/** An empty list with a suggested next step. */
export function EmptyState({ icon: Icon, title, hint, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" className={classes.state}>
      <ThemeIcon size={48} radius="xl" variant="light" color="orange" aria-hidden>
        <Icon size={24} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600} fz={16} mt={4}>
        {title}
      </Text>
      {hint !== undefined && (
        <Text c="dimmed" fz="sm" maw={420}>
          {hint}
        </Text>
      )}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </Stack>
  );
}

interface ErrorStateProps {
  message: string;
  onRetry?: () => void;
}

/** A part that failed to load; the rest of the screen stays usable. */
export function ErrorState({ message, onRetry }: ErrorStateProps) {
  return (
    <Stack align="center" gap="xs" className={classes.state} role="alert">
      <ThemeIcon size={48} radius="xl" variant="light" color="red" aria-hidden>
        <IconAlertTriangle size={24} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600} fz={16} mt={4}>
        {message}
      </Text>
      {onRetry !== undefined && (
        <div className={classes.action}>
          <Button variant="default" onClick={onRetry}>
            {commonTexts.tryAgain}
          </Button>
        </div>
      )}
    </Stack>
  );
}
