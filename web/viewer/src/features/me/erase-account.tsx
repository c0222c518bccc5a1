/** Erasing the person's account, confirmed by typing its email address. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { forgetBrand } from '~/features/organisations/last-brand.ts';
import { profileQuery } from '~/features/profile/queries.ts';
import { errorText } from '~/shared/language.ts';
import { storage } from '~/shared/lib/storage.ts';
import { SHARED } from '~/shared/lib/texts.ts';
import { session } from '~/shared/session.ts';
import { Button } from '~/shared/ui/button.tsx';
import { ConfirmDialog } from '~/shared/ui/confirm-dialog.tsx';
import { TextField } from '~/shared/ui/field.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { useErase } from './calls.ts';
import { ME } from './texts.ts';

export function EraseAccount() {
  const own = useQuery(profileQuery).data?.email ?? '';
  const [asking, setAsking] = useState(false);
  const [email, setEmail] = useState('');
  const [other, setOther] = useState(false);
  const erase = useErase();
  const client = useQueryClient();
  const navigate = useNavigate();
  const onErase = () => {
    const typed = email.trim().toLowerCase();
    setOther(typed !== own);
    if (typed !== own || erase.isPending) return;
    erase.mutateAsync(typed).then(
      async () => {
        for (const key of ['email', 'next', 'organisation'] as const) storage.remove(key);
        forgetBrand('everywhere');
        session.clear();
        await navigate({ to: '/sign-in' });
        client.clear();
        showToast('success', ME.erased);
      },
      () => undefined,
    );
  };
  const refused = erase.error === null ? undefined : errorText(erase.error);
  return (
    <>
      <Button tone="danger" onClick={() => setAsking(true)}>
        {ME.erase}
      </Button>
      <ConfirmDialog
        open={asking}
        title={ME.eraseTitle}
        text={ME.eraseText}
        onClose={() => setAsking(false)}
        field={
          <TextField
            label={ME.eraseEmail(own)}
            type="email"
            autoComplete="off"
            value={email}
            error={other ? ME.eraseOther : refused}
            onChange={(event) => setEmail(event.target.value)}
          />
        }
      >
        <Button onClick={() => setAsking(false)}>{SHARED.cancel}</Button>
        <Button tone="danger" busy={erase.isPending} onClick={onErase}>
          {ME.eraseYes}
        </Button>
      </ConfirmDialog>
    </>
  );
}
