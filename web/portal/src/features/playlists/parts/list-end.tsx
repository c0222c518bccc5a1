/** The end of a paged list: loads more automatically; after a failure, shows a toast and a retry button. */
import { Button, Center } from '@mantine/core';
import { useEffect } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { EndOfList } from '~/shared/ui/end-of-list.tsx';
import { toastFailure } from '~/shared/ui/toasts.ts';

interface ListEndProps {
  /** The list's query. */
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    errorUpdateCount: number;
    fetchNextPage: () => unknown;
  };
  /** Toast if the next page cannot be loaded. */
  failure: string;
}

export function ListEnd({ query, failure }: ListEndProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, errorUpdateCount, fetchNextPage } = query;
  useEffect(() => {
    if (isFetchNextPageError && errorUpdateCount > 0) toastFailure(failure);
  }, [isFetchNextPageError, errorUpdateCount, failure]);
  if (isFetchNextPageError) {
    return (
      <Center py="lg">
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {commonTexts.tryAgain}
        </Button>
      </Center>
    );
  }
  return <EndOfList hasMore={hasNextPage} busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />;
}
