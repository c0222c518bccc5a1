/** Loads the next page when the end of a list becomes visible. */
import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';
import { commonTexts } from '../lib/texts.ts';

interface EndOfListProps {
  hasMore: boolean;
  busy: boolean;
  onMore: () => void;
}

/** Placed below a paged list; the button is for people who do not scroll. */
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
