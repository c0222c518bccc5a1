/** A link to the page that the browser did not let be opened. */
import { Anchor, Text } from '@mantine/core';
import { billingTexts } from '../texts.ts';

export function BlockedTab({ url }: { url: string | null }) {
  if (url === null) return null;
  return (
    <Text role="status" fz="sm">
      {billingTexts.tabBlocked}{' '}
      <Anchor href={url} target="_blank" rel="noopener" underline="always">
        {billingTexts.openBilling}
      </Anchor>
    </Text>
  );
}
