/** The addresses that were not invited, each with the reason. */
import { Alert, List, Text } from '@mantine/core';
import type { InvitedOut } from '@vitrine/api';
import classes from './refused-list.module.css';

/** Only the title is announced. Long lists scroll, also by keyboard. */
export function RefusedList({ title, refused }: { title: string; refused: readonly InvitedOut[] }) {
  if (refused.length === 0) return null;
  return (
    <Alert color="red" role="group" aria-label={title} title={<span role="alert">{title}</span>}>
      <List
        spacing={8}
        listStyleType="none"
        className={classes.list ?? ''}
        aria-label={title}
        tabIndex={refused.length > 5 ? 0 : undefined}
      >
        {refused.map(({ userEmail, problem }) => (
          <List.Item key={userEmail}>
            <Text fw={600} fz="sm">
              {userEmail}
            </Text>
            <Text fz="sm">{problem?.message}</Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
