/** The organisations the person is staff of, with buttons to leave them. */
import { Button } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { type Membership, staffMemberships } from '~/features/orgs/memberships.ts';
import { roleLabels } from '~/features/orgs/roles.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { useLeaveOrganisation } from '../api/leave-organisation.ts';
import { settingsTexts } from '../texts.ts';
import { Card } from './card.tsx';
import { Row, Rows, RowsSkeleton } from './rows.tsx';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

export function Organisations() {
  const memberships = useQuery(membershipsQuery);
  const title = useRef<HTMLHeadingElement>(null);
  const [asked, setAsked] = useState<Membership | null>(null);
  const leave = useLeaveOrganisation();
  const confirm = () => {
    if (asked === null) return;
    leave.mutate(asked.organisation.uid, {
      onSettled: () => {
        setAsked(null);
        title.current?.focus();
      },
    });
  };
  return (
    <Card title={settingsTexts.organisationsTitle} titleRef={title}>
      {memberships.data === undefined ? (
        <RowsSkeleton rows={['button']} />
      ) : (
        <Rows label={settingsTexts.organisationsTitle}>
          {staffMemberships(memberships.data).map((membership) => (
            <Row
              key={membership.organisation.uid}
              icon={IconBuilding}
              title={membership.organisation.name}
              detail={roleLabels[membership.role]}
              action={
                <Button
                  variant="default"
                  size="xs"
                  aria-label={settingsTexts.leaveNamed(membership.organisation.name)}
                  onClick={() => setAsked(membership)}
                >
                  {settingsTexts.leave}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <Suspense>
        {asked !== null && (
          <ConfirmDialog
            opened
            action={settingsTexts.leave}
            busy={leave.isPending}
            onConfirm={confirm}
            onClose={() => setAsked(null)}
          >
            {settingsTexts.leaveQuestion(asked.organisation.name)}
          </ConfirmDialog>
        )}
      </Suspense>
    </Card>
  );
}
