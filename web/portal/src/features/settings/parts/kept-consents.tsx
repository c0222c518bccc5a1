/** The organisations that the person cannot open but can leave, or withdraw the consent from. */
import { Button, Group } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type JoinedOrganisationOut, messageOf } from '@vitrine/api';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { keptConsentsQuery, useWithdrawConsent } from '../api/kept-consents.ts';
import { useLeaveOrganisation } from '../api/leave-organisation.ts';
import { settingsTexts } from '../texts.ts';
import { Card } from './card.tsx';
import { Row, Rows } from './rows.tsx';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

/** Shows nothing if there are none. */
export function KeptConsents() {
  const kept = useQuery(keptConsentsQuery);
  const title = useRef<HTMLHeadingElement>(null);
  const focusTitle = () => title.current?.focus();
  if (!kept.isError && (kept.data === undefined || kept.data.length === 0)) return null;
  return (
    <Card title={settingsTexts.keptConsentsTitle} titleRef={title}>
      {kept.data === undefined ? (
        <ErrorState message={messageOf(kept.error)} onRetry={() => void kept.refetch()} />
      ) : (
        <Rows label={settingsTexts.keptConsentsTitle}>
          {kept.data.map((organisation) => (
            <Kept key={organisation.uid} organisation={organisation} onEnd={focusTitle} />
          ))}
        </Rows>
      )}
    </Card>
  );
}

function Kept({ organisation, onEnd }: { organisation: JoinedOrganisationOut; onEnd: () => void }) {
  const { uid, name, member, consent } = organisation;
  const withdraw = useWithdrawConsent();
  const leave = useLeaveOrganisation();
  const [asking, setAsking] = useState(false);
  const membership = consent === true ? settingsTexts.endedMembershipConsent : settingsTexts.endedMembership;
  return (
    <>
      <Row
        icon={IconBuilding}
        title={name}
        detail={member ? membership : settingsTexts.keptConsent}
        action={
          <Group gap="xs">
            {consent === true && (
              <Button
                variant="default"
                size="xs"
                aria-label={settingsTexts.withdrawConsentNamed(name)}
                loading={withdraw.isPending}
                onClick={() => withdraw.mutate(uid, { onSuccess: onEnd })}
              >
                {settingsTexts.withdrawConsent}
              </Button>
            )}
            {member && (
              <Button
                variant="default"
                size="xs"
                aria-label={settingsTexts.leaveNamed(name)}
                onClick={() => setAsking(true)}
              >
                {settingsTexts.leave}
              </Button>
            )}
          </Group>
        }
      />
      <Suspense>
        {asking && (
          <ConfirmDialog
            opened
            action={settingsTexts.leave}
            busy={leave.isPending}
            onConfirm={() => leave.mutate(uid, { onSuccess: onEnd, onSettled: () => setAsking(false) })}
            onClose={() => setAsking(false)}
          >
            {settingsTexts.leaveEndedQuestion(name)}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
}
