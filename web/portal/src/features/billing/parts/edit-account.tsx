/** A dialog to change the details of a billing account and to widen its type. */
import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AccountOut } from '@vitrine/api';
import { useState } from 'react';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { useChangeAccount } from '../api/billing-mutations.ts';
import { type AccountForm, accountRules, accountTypeOf, changesOf, formOf, widerTypes } from '../model.ts';
import { billingTexts } from '../texts.ts';
import { AccountFields } from './account-fields.tsx';
import { RefusedDetails } from './refused-details.tsx';

interface EditAccountProps {
  account: AccountOut;
  onClose: () => void;
  /** Called before it closes if something was saved. */
  onSaved?: () => void;
}

export function EditAccount({ account, onClose, onSaved }: EditAccountProps) {
  useReturnFocus();
  const change = useChangeAccount(account.uid);
  const [type, setType] = useState(account.type);
  // What the form started from: changes that others made meanwhile stay.
  const [base] = useState(account);
  const form = useForm<AccountForm>({
    initialValues: formOf(base),
    validate: accountRules,
    validateInputOnBlur: true,
  });
  const types = widerTypes(base.type);
  const submit = form.onSubmit((values) => {
    const changes = changesOf(base, values, type);
    if (changes === null) return onClose();
    const onSuccess = () => {
      onSaved?.();
      onClose();
    };
    change.mutate(changes, { onSuccess });
  });
  return (
    <Modal opened onClose={onClose} title={billingTexts.details} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <RefusedDetails words={account.refusal} />
          <AccountFields form={form} />
          <Select
            label={billingTexts.accountType}
            description={types.length === 1 ? billingTexts.widestType : billingTexts.widerHint}
            disabled={types.length === 1}
            data={types.map(({ value, label }) => ({ value, label }))}
            value={type}
            onChange={(value) => setType(accountTypeOf(value ?? '') ?? type)}
            allowDeselect={false}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              {commonTexts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
