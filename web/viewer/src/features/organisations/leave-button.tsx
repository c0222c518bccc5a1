/** A button that leaves an organisation after a question. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { JoinedOrganisationOut } from '@vitrine/api';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { leaveLayer } from '~/shared/lib/back-closes.ts';
import { SHARED } from '~/shared/lib/texts.ts';
import { Button } from '~/shared/ui/button.tsx';
import { ConfirmDialog } from '~/shared/ui/confirm-dialog.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { forgetOrganisation, useLeave } from './queries.ts';
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
  const client = useQueryClient();
  const router = useRouter();
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const onLeave = () =>
    leave
      .mutateAsync(uid)
      .then(async () => {
        // Someone who has moved on stays there.
        const stays = !here.current;
        // The question has an entry in the history. It goes first: the next page replaces the screen below, which is gone
        // once the organisation is.
        if (!stays) await leaveLayer(router);
        forgetOrganisation(client, uid);
        showToast('success', ORGANISATIONS.left(name));
        if (!stays) await props.onLeft();
      })
      // The mutation says what went wrong.
      .catch(() => undefined);
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
        <Button tone="danger" busy={leave.isPending} onClick={() => void onLeave()}>
          {ORGANISATIONS.leave}
        </Button>
      </ConfirmDialog>
    </>
  );
}
