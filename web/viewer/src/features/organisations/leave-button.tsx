/** A button that leaves an organisation after a question. */
import type { JoinedOrganisationOut } from '@vitrine/api';
import { type ReactNode, useState } from 'react';
import { SHARED } from '~/shared/lib/texts.ts';
import { Button } from '~/shared/ui/button.tsx';
import { ConfirmDialog } from '~/shared/ui/confirm-dialog.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { useLeave } from './queries.ts';
import { ORGANISATIONS } from './texts.ts';

export function LeaveButton(props: {
  organisation: JoinedOrganisationOut;
  /** Names the organisation where the page shows several. */
  label?: string;
  onLeft: () => unknown;
  children: ReactNode;
}) {
  const { uid, name, access } = props.organisation;
  const [asking, setAsking] = useState(false);
  const leave = useLeave();
  const onLeave = () =>
    leave.mutate(uid, {
      onSuccess: () => {
        showToast('success', ORGANISATIONS.left(name));
        return props.onLeft();
      },
    });
  return (
    <>
      <Button tone="danger" aria-label={props.label} onClick={() => setAsking(true)}>
        {props.children}
      </Button>
      <ConfirmDialog
        open={asking}
        title={ORGANISATIONS.leaveTitle(name)}
        text={access ? ORGANISATIONS.leaveText : ORGANISATIONS.leaveEndedText}
        onClose={() => setAsking(false)}
      >
        <Button onClick={() => setAsking(false)}>{SHARED.cancel}</Button>
        <Button tone="danger" busy={leave.isPending} onClick={onLeave}>
          {ORGANISATIONS.leave}
        </Button>
      </ConfirmDialog>
    </>
  );
}
