/** The version, and links from the server's configuration. */
import { Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ConfigOut, messageOf } from '@vitrine/api';
import { configQuery } from '~/shared/api/config.ts';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { settingsTexts } from '../texts.ts';
import { Card } from './card.tsx';
import classes from './help.module.css';

/** Shows the labels while their URLs are loading. */
export function Help() {
  const config = useQuery(configQuery);
  return (
    <Card
      title={settingsTexts.about}
      aside={
        <Text c="dimmed" className="tabular">
          {settingsTexts.version}
        </Text>
      }
    >
      {config.isError ? (
        <ErrorState message={messageOf(config.error)} onRetry={() => void config.refetch()} />
      ) : (
        linksOf(config.data).map(({ label, href }) => <ExternalLink key={label} label={label} href={href} />)
      )}
    </Card>
  );
}

function ExternalLink({ label, href }: { label: string; href: string | undefined }) {
  // Not a link if the URL is invalid or not loaded yet.
  if (href === undefined || !isWebAddress(href)) return <div className={classes.link}>{label}</div>;
  return (
    <a className={classes.link} href={href} target="_blank" rel="noopener">
      {label}
      <IconExternalLink size={16} stroke={1.7} aria-hidden />
    </a>
  );
}

function linksOf(config: ConfigOut | undefined) {
  return [
    { label: settingsTexts.terms, href: config?.termsUrl },
    { label: settingsTexts.privacy, href: config?.privacyUrl },
    { label: settingsTexts.contact, href: config?.contactUrl },
    { label: settingsTexts.help, href: config?.helpUrl },
  ];
}
