/** /org/{orgId}/audit: who changed what. */
import { Badge, Group, Select, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditAction } from '@vitrine/api';
import { useState } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { orgTexts } from '~/features/orgs/texts.ts';
import { BackLink } from '~/shared/ui/back-link.tsx';
import { Page } from '~/shared/ui/page.tsx';
import { auditQuery } from '../api/audit-queries.ts';
import { auditActions } from '../model.ts';
import classes from '../parts/audit-log.module.css';
import { AuditLog, type AuditPerson } from '../parts/audit-log.tsx';
import { auditTexts } from '../texts.ts';

const ALL = 'all';

export function AuditPage() {
  const { orgId } = useCurrentOrg();
  const [action, setAction] = useState<AuditAction | null>(null);
  const [person, setPerson] = useState<AuditPerson | null>(null);
  const query = useInfiniteQuery(auditQuery(orgId, { action, userId: person?.userId ?? null }));
  return (
    <Page title={orgTexts.auditLog} above={<BackLink to={`/org/${orgId}/profile`} label={auditTexts.back} />}>
      <Group mb="md" gap="sm">
        <Select
          aria-label={auditTexts.action}
          w={{ base: '100%', sm: 240 }}
          data={[
            { value: ALL, label: auditTexts.all },
            ...auditActions.map((value) => ({ value, label: auditTexts.actions[value] })),
          ]}
          value={action ?? ALL}
          onChange={(value) => setAction(value === null || value === ALL ? null : (value as AuditAction))}
          allowDeselect={false}
          checkIconPosition="right"
        />
        {person !== null && (
          <Badge
            component="button"
            size="lg"
            variant="default"
            className={classes.chip ?? ''}
            rightSection={<IconX size={12} aria-hidden />}
            onClick={() => setPerson(null)}
          >
            {auditTexts.only(person.displayName)}
          </Badge>
        )}
        <Text c="dimmed" fz="sm">
          {auditTexts.hint}
        </Text>
      </Group>
      <AuditLog query={query} orgId={orgId} filtered={action !== null || person !== null} onPerson={setPerson} />
    </Page>
  );
}
