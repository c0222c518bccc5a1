/** Asks for the next page when the end of a list comes into view. */
import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';
import { commonTexts } from '../lib/texts.ts';

interface EndOfListProps {
  hasMore: boolean;
  busy: boolean;
  onMore: () => void;
}

/** Stands below a paged list; a button remains for those who do not scroll. */
export function EndOfList({ hasMore, busy, onMore }: EndOfListProps) {
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const visible = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (visible && hasMore && !busy) onMore();
  }, [visible, hasMore, busy, onMore]);
  if (!hasMore) return null;
  return (
    <Center ref={ref} py="lg">
      <Button variant="default" loading={busy} onClick={onMore}>
        {commonTexts.showMore}
      </Button>
    </Center>
  );
}
