/** A button that loads again whatever failed on the screen. */
import { Button } from '@mantine/core';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { commonTexts } from '~/shared/lib/texts.ts';

const hasFailed = ({ state }: Query) => state.status === 'error';

export function RetryFailed() {
  const client = useQueryClient();
  const retry = () => void client.refetchQueries({ type: 'active', predicate: hasFailed });
  return (
    <Button variant="default" size="compact-sm" onClick={retry}>
      {commonTexts.tryAgain}
    </Button>
  );
}
