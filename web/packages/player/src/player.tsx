/** The player of both apps: picks the surface for a kind of content. */
import { lazy, Suspense, useEffect } from 'react';
import { useControlTexts } from './control-texts.ts';
import { parseEmbed } from './embed.ts';
import { EmbedSurface } from './embed-surface.tsx';
import classes from './player.module.css';
import type { PlayerProps } from './player-props.ts';
import { FileSurface, ImageSurface, LinkSurface } from './still-surfaces.tsx';

const loadMedia = () => import('./media-surface.tsx');
const MediaSurface = lazy(() => loadMedia().then((module) => ({ default: module.MediaSurface })));

const PdfSurface = lazy(() => import('./pdf/pdf-surface.tsx').then((module) => ({ default: module.PdfSurface })));

/** Shows or plays one content item. Give it a `key` per item. */
export function Player(props: PlayerProps) {
  const { kind, src } = props;
  if (kind === 'video' || kind === 'audio') {
    return <Media {...props} kind={kind} />;
  }
  if (kind === 'pdf') {
    return (
      <Suspense fallback={<div className={classes.document} aria-busy="true" />}>
        <PdfSurface {...props} />
      </Suspense>
    );
  }
  if (kind === 'image') return <ImageSurface {...props} />;
  if (kind === 'embed') {
    const video = parseEmbed(src);
    return video === null ? <LinkSurface {...props} /> : <EmbedSurface {...props} video={video} />;
  }
  return <FileSurface {...props} />;
}

interface MediaKind {
  kind: 'video' | 'audio';
}

function Media(props: PlayerProps & MediaKind) {
  const ready = useControlTexts();
  useEffect(() => void loadMedia().catch(() => undefined), []);
  const placeholder = <MediaPlaceholder kind={props.kind} poster={props.poster} waveform={props.waveform} />;
  return <Suspense fallback={placeholder}>{ready ? <MediaSurface {...props} /> : placeholder}</Suspense>;
}

/** As large as what replaces it. */
function MediaPlaceholder({ kind, poster, waveform = '' }: Pick<PlayerProps, 'poster' | 'waveform'> & MediaKind) {
  if (kind === 'video') {
    return (
      <div className={classes.video} aria-busy="true">
        {poster ? <img className={classes.still} src={poster} alt="" /> : null}
      </div>
    );
  }
  return (
    <div className={classes.audio} aria-busy="true">
      {poster ? <img className={classes.cover} src={poster} alt="" /> : null}
      {waveform === '' ? null : <div className={classes.waveform} />}
      <div className={classes.bars} />
    </div>
  );
}
