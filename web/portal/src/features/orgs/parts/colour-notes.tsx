/** Says which colors the app corrects so that everything can be read. */
import { ColorSwatch, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type BrandColours, corrections } from '@vitrine/brand';
import classes from './colour-notes.module.css';
import { settingsTexts } from './texts.ts';

/** So that screen readers read the result, not every step of a picker. */
const PAUSE_MS = 500;

export function ColourNotes({ colours }: { colours: BrandColours }) {
  const [settled] = useDebouncedValue(colours, PAUSE_MS);
  return (
    <Stack gap={6} role="status">
      {corrections(settled).map(({ place, shown }) => (
        <Group key={place} gap={8} wrap="nowrap" align="flex-start">
          <ColorSwatch color={shown} size={16} withShadow={false} className={classes.swatch ?? ''} aria-hidden />
          <Text c="dimmed" fz="xs" flex={1}>
            {settingsTexts.corrections[place](shown)}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
