/** The fields of the billing form. */
import { SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AccountForm } from '../model.ts';
import { billingTexts } from '../texts.ts';

export function AccountFields({ form }: { form: UseFormReturnType<AccountForm> }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput label={billingTexts.payeeName} autoComplete="name" {...form.getInputProps('billingName')} />
      <TextInput
        label={billingTexts.payeeEmail}
        type="email"
        autoComplete="email"
        {...form.getInputProps('billingEmail')}
      />
      <TextInput label={billingTexts.phone} type="tel" autoComplete="tel" {...form.getInputProps('billingPhone')} />
      <TextInput
        label={billingTexts.nickName}
        placeholder={billingTexts.nickNameHint}
        {...form.getInputProps('friendlyName')}
      />
    </SimpleGrid>
  );
}
