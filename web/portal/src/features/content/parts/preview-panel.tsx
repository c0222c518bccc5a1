/** Plays the selected item; previews do not count as views. */
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ContentOut } from '@vitrine/api';
import { imageOfWindow } from '@vitrine/brand/image-sizes';
import { processedProps } from '@vitrine/player/processed-props';
import { Suspense } from 'react';
import { clock, fileSize } from '~/shared/lib/format.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import { renewGrant } from '../api/content-queries.ts';
import { contentKinds } from '../model.ts';
import { contentTexts } from '../texts.ts';
import classes from './preview-panel.module.css';

const Player = lazyPart(() => import('@vitrine/player'), 'Player');

export function PreviewPanel({ content }: { content: ContentOut }) {
  const native = content.type === 'native';
  const details = [
    contentKinds[content.kind].label,
    content.durationMs == null ? '' : clock(content.durationMs),
    content.file == null ? '' : fileSize(content.file.size),
  ];
  return (
    <Surface as="section" flush>
      <div className={classes.player}>
        {content.type === 'draft' ? (
          <div className={classes.waiting}>{contentTexts.fileNotArrived}</div>
        ) : (
          <Suspense fallback={<Skeleton className={classes.waiting ?? ''} radius={0} />}>
            <Player
              key={content.uid}
              src={content.url}
              kind={content.kind}
              title={content.title}
              poster={imageOfWindow(content.previewUrl)}
              file={content.file ?? null}
              {...processedProps(content)}
              {...(native ? { renew: () => renewGrant(content.url) } : {})}
            />
          </Suspense>
        )}
      </div>
      <Stack gap={4} p="md">
        <Title order={3} fz={16} className={classes.title}>
          {content.title}
        </Title>
        <Text c="dimmed" fz="xs" className="tabular">
          {details.filter(Boolean).join(' · ')}
        </Text>
        {content.description !== '' && <Text className={classes.description}>{content.description}</Text>}
      </Stack>
    </Surface>
  );
}
