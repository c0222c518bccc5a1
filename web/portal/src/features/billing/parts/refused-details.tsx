/** Shows why the payment provider rejected the details of an account. */
import { Text } from '@mantine/core';
import { billingTexts } from '../texts.ts';

export function RefusedDetails({ words }: { words: string | null | undefined }) {
  if (words === null || words === undefined) return null;
  return (
    <Text c="red" fz="sm">
      {billingTexts.refused(words)}
    </Text>
  );
}
