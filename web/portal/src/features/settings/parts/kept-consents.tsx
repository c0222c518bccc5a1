/** The organisations that the person cannot open but that still hold the person's consent. */
import { Button } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { useRef } from 'react';
import { ErrorState } from '~/shared/ui/state.tsx';
import { keptConsentsQuery, useWithdrawConsent } from '../api/kept-consents.ts';
import { settingsTexts } from '../texts.ts';
import { Card } from './card.tsx';
import { Row, Rows } from './rows.tsx';

/** Shows nothing if there are none. */
export function KeptConsents() {
  const kept = useQuery(keptConsentsQuery);
  const title = useRef<HTMLHeadingElement>(null);
  const withdraw = useWithdrawConsent();
  if (!kept.isError && (kept.data === undefined || kept.data.length === 0)) return null;
  return (
    <Card title={settingsTexts.keptConsentsTitle} titleRef={title}>
      {kept.data === undefined ? (
        <ErrorState message={messageOf(kept.error)} onRetry={() => void kept.refetch()} />
      ) : (
        <Rows label={settingsTexts.keptConsentsTitle}>
          {kept.data.map(({ uid, name }) => (
            <Row
              key={uid}
              icon={IconBuilding}
              title={name}
              detail={settingsTexts.keptConsent}
              action={
                <Button
                  variant="default"
                  size="xs"
                  aria-label={settingsTexts.withdrawConsentNamed(name)}
                  loading={withdraw.isPending && withdraw.variables === uid}
                  onClick={() => withdraw.mutate(uid, { onSuccess: () => title.current?.focus() })}
                >
                  {settingsTexts.withdrawConsent}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
    </Card>
  );
}
