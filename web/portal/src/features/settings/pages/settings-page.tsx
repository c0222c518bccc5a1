/** /settings: version, help, and the look. */
import { Group, SegmentedControl, Stack, Text, Title, useMantineColorScheme } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '~/shared/api/config.ts';
import { Page } from '~/shared/ui/page.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { settingsTexts } from '../texts.ts';
import classes from './settings-page.module.css';

export function SettingsPage() {
  const config = useQuery(configQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const links = [
    { label: settingsTexts.terms, href: config.data?.termsUrl },
    { label: settingsTexts.privacy, href: config.data?.privacyUrl },
    { label: settingsTexts.contact, href: config.data?.contactUrl },
    { label: settingsTexts.help, href: config.data?.helpUrl },
  ];
  return (
    <Page title="Settings">
      <Stack gap="md" maw={640}>
        <Surface as="section">
          <Group justify="space-between">
            <Title order={2} fz={16}>
              Theme
            </Title>
            <SegmentedControl
              aria-label="Theme"
              value={colorScheme}
              onChange={setColorScheme}
              data={[
                { value: 'light', label: 'Light' },
                { value: 'dark', label: 'Dark' },
                { value: 'auto', label: 'System' },
              ]}
            />
          </Group>
        </Surface>
        <Surface as="section" flush>
          <Group justify="space-between" px="lg" py="md">
            <Title order={2} fz={16}>
              {settingsTexts.helpTitle}
            </Title>
            <Text c="dimmed" className="tabular">
              {settingsTexts.version}
            </Text>
          </Group>
          {links.map(({ label, href }) => (
            <a key={label} className={classes.link} href={href} target="_blank" rel="noopener">
              {label}
              <IconExternalLink size={16} stroke={1.7} aria-hidden />
            </a>
          ))}
        </Surface>
      </Stack>
    </Page>
  );
}
