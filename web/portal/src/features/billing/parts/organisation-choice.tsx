/** What an agency buys the plan for: a new organisation, or one whose plan has ended. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { EndedOrgOut } from '@vitrine/api';
import { useState } from 'react';
import { dateOf } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { NEW_ORGANISATION } from '../model.ts';
import { billingTexts } from '../texts.ts';
import classes from './choice.module.css';

interface OrganisationChoiceProps {
  plan: string;
  ended: readonly EndedOrgOut[];
  onChoose: (organisation: string) => void;
}

export function OrganisationChoice({ plan, ended, onChoose }: OrganisationChoiceProps) {
  const [chosen, setChosen] = useState<string>(NEW_ORGANISATION);
  const choices = [
    { value: NEW_ORGANISATION, name: billingTexts.newOrganisation, hint: billingTexts.newOrganisationHint },
    ...ended.map(({ uid, name, timeEnded }) => ({
      value: uid,
      name,
      hint: billingTexts.endedOrganisation(dateOf(timeEnded)),
    })),
  ];
  return (
    <TaskPage title={billingTexts.chooseOrganisation} lead={plan} wide>
      <Stack gap="md">
        <Stack gap="xs" role="radiogroup" aria-label={billingTexts.chooseOrganisation}>
          {choices.map(({ value, name, hint }) => (
            <label key={value} className={classes.choice} data-selected={value === chosen || undefined}>
              <input type="radio" name="organisation" checked={value === chosen} onChange={() => setChosen(value)} />
              <span className={classes.words}>
                <Text component="span" fw={600} fz="md">
                  {name}
                </Text>
                <Text component="span" c="dimmed" fz="sm">
                  {hint}
                </Text>
              </span>
            </label>
          ))}
        </Stack>
        <Group justify="flex-end">
          <Button onClick={() => onChoose(chosen)}>{commonTexts.continue}</Button>
        </Group>
      </Stack>
    </TaskPage>
  );
}
