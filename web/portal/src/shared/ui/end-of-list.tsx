/** Loads the next page when the end of a list becomes visible. */
import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';
import { commonTexts } from '../lib/texts.ts';
import { ErrorState } from './state.tsx';

interface EndOfListProps {
  hasMore: boolean;
  busy: boolean;
  /** Shown with a button to try again, if the next page could not be loaded. */
  failure?: string | undefined;
  onMore: () => void;
}

/** Placed below a paged list; the button is for people who do not scroll. */
export function EndOfList({ hasMore, busy, failure, onMore }: EndOfListProps) {
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const visible = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (visible && hasMore && !busy && failure === undefined) onMore();
  }, [visible, hasMore, busy, failure, onMore]);
  if (failure !== undefined && !busy) return <ErrorState message={failure} onRetry={onMore} />;
  if (!hasMore) return null;
  return (
    <Center ref={ref} py="lg">
      <Button variant="default" loading={busy} onClick={onMore}>
        {commonTexts.showMore}
      </Button>
    </Center>
  );
}
