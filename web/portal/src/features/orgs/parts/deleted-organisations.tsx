/** Deleted organisations that can still be restored by the person; nothing if there are none. */
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { codeOf, type DeletedOrganisationOut, messageOf } from '@vitrine/api';
import { useRef } from 'react';
import { configQuery } from '~/shared/api/config.ts';
import { dateOf } from '~/shared/lib/format.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { deletedOrganisationsQuery, useRestoreOrganisation } from '../api/deletion-queries.ts';
import classes from './deleted-organisations.module.css';
import { deletionTexts } from './texts.ts';

export function DeletedOrganisations() {
  const deleted = useQuery(deletedOrganisationsQuery);
  const restore = useRestoreOrganisation();
  const section = useRef<HTMLHeadingElement>(null);
  if (deleted.isError) {
    return <ErrorState message={messageOf(deleted.error)} onRetry={() => void deleted.refetch()} />;
  }
  // It is rarely there, so nothing takes its place while it loads.
  if (deleted.data === undefined || deleted.data.length === 0) return null;
  const refused = deleted.data.find(({ uid }) => uid === restore.variables);
  return (
    <Surface as="section" label={deletionTexts.deletedOrganisations} className={classes.section ?? ''}>
      <Text component="h2" fw={600} fz="md" ref={section} tabIndex={-1}>
        {deletionTexts.deletedOrganisations}
      </Text>
      <ul className={classes.rows}>
        {deleted.data.map((one) => (
          <Row
            key={one.uid}
            organisation={one}
            busy={restore.isPending && restore.variables === one.uid}
            onRestore={() => {
              // The row with the focused button leaves the list.
              if (!restore.isPending) restore.mutate(one.uid, { onSuccess: () => section.current?.focus() });
            }}
          />
        ))}
      </ul>
      {restore.isError && <WhyNot error={restore.error} name={refused?.name ?? ''} />}
    </Surface>
  );
}

interface RowProps {
  organisation: DeletedOrganisationOut;
  busy: boolean;
  onRestore: () => void;
}

function Row({ organisation: { name, timeRemoved }, busy, onRestore }: RowProps) {
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <div className={classes.words}>
          <Text truncate>{name}</Text>
          <Text c="dimmed" fz="sm">
            {deletionTexts.removedOn(dateOf(timeRemoved))}
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          flex="none"
          loading={busy}
          aria-label={deletionTexts.restoreNamed(name)}
          onClick={onRestore}
        >
          {deletionTexts.restore}
        </Button>
      </Group>
    </li>
  );
}

function WhyNot({ error, name }: { error: Error; name: string }) {
  const config = useQuery(configQuery).data;
  const needsPlan = codeOf(error) === 'no_free_provision';
  return (
    <Alert color="orange" role="alert">
      {needsPlan ? deletionTexts.noPlan(name) : messageOf(error)}
      {needsPlan && config?.billing !== 'none' && (
        <>
          {' '}
          <Anchor href={config?.pricingUrl ?? '/pricing'} rel="noopener" inherit underline="always">
            {deletionTexts.buyPlan}
          </Anchor>
        </>
      )}
    </Alert>
  );
}
