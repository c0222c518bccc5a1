/** The image of a content item, or what its kind shows without one. */
import type { ContentKind } from '@vitrine/api';
import { coverOfItem } from '@vitrine/player/item-cover';
import { Suspense } from 'react';
import { clock } from '~/shared/lib/format.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { contentKinds } from '../model.ts';

/** Only audio without an image needs it. */
const WaveCover = lazyPart(() => import('@vitrine/player/wave-cover'), 'WaveCover');

interface Pictured {
  uid: string;
  title: string;
  kind: ContentKind;
  previewUrl: string;
  waveformUrl: string;
  durationMs?: number | null | undefined;
}

interface ItemThumbnailProps {
  item: Pictured;
  /** Whether its length is overlaid, if known. */
  length?: boolean;
  className?: string;
}

/** Decorative: the title is next to it. */
export function ItemThumbnail({ item, length = false, className }: ItemThumbnailProps) {
  const { kind, previewUrl, durationMs } = item;
  const { cover, wave } = coverOfItem(item);
  return (
    <Thumbnail
      src={previewUrl}
      kind={kind}
      icon={contentKinds[kind].icon}
      {...(cover === undefined ? {} : { cover })}
      around={(icon) =>
        wave === undefined ? (
          icon
        ) : (
          <Suspense fallback={icon}>
            <WaveCover wave={wave}>{icon}</WaveCover>
          </Suspense>
        )
      }
      {...(className === undefined ? {} : { className })}
      badge={length && typeof durationMs === 'number' ? clock(durationMs) : undefined}
    />
  );
}
