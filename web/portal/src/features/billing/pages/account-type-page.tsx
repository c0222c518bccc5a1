/** /account-type: choose the type of account to create. */
import { Stack, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { accountTypes } from '../model.ts';
import classes from '../parts/choice.module.css';
import { billingTexts } from '../texts.ts';

export function AccountTypePage() {
  return (
    <TaskPage title={billingTexts.chooseType} lead={billingTexts.chooseTypeHint} wide>
      <Stack gap="xs">
        {accountTypes.map(({ value, label, hint, icon: Icon }) => (
          <Link key={value} to="/create-billing-account" search={{ type: value }} className={classes.choice}>
            <Icon size={22} stroke={1.6} className={classes.icon} aria-hidden />
            <span className={classes.words}>
              <Text component="span" fw={600} fz="md">
                {label}
              </Text>
              <Text component="span" c="dimmed" fz="sm">
                {hint}
              </Text>
            </span>
            <IconChevronRight size={18} stroke={1.7} aria-hidden />
          </Link>
        ))}
      </Stack>
    </TaskPage>
  );
}
