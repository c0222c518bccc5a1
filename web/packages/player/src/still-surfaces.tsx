/** Content that does not play: images, downloads, plain links. */
import { type ReactNode, useState } from 'react';
import { safeLink } from './embed.ts';
import { formatBytes } from './format-bytes.ts';
import classes from './player.module.css';
import type { PlayerProps } from './player-props.ts';
import { playerTexts } from './texts.ts';
import { useDwell } from './use-dwell.ts';
import { useShownPlace } from './use-place.ts';
import { useRenewal } from './use-renewal.ts';

/** An image, scaled to fit. */
export function ImageSurface({ src, title, tracker, renew, onPlace }: PlayerProps) {
  const [source, setSource] = useState(src);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  useDwell(tracker, state === 'shown');
  useShownPlace(onPlace, state === 'shown' ? 1 : null, 1);
  useRenewal(renew, source);
  if (state === 'failed') {
    const retry = async () => {
      await renew?.(source).catch(() => undefined);
      setSource(src);
      setState('loading');
    };
    return (
      <div className={classes.image} role="alert">
        <p>{playerTexts.imageFailed}</p>
        <button type="button" className={classes.button} onClick={() => void retry()}>
          {playerTexts.retry}
        </button>
      </div>
    );
  }
  return (
    <div className={classes.image}>
      <Zoomable ready={state === 'shown'}>
        <img src={source} alt={title} onLoad={() => setState('shown')} onError={() => setState('failed')} />
      </Zoomable>
    </div>
  );
}

/** Shows an image larger, to be scrolled by finger, wheel or keys. */
function Zoomable({ ready, children }: { ready: boolean; children: ReactNode }) {
  const [zoomed, setZoomed] = useState(false);
  const label = zoomed ? playerTexts.fitImage : playerTexts.zoomImage;
  return (
    <>
      <div
        className={classes.pan}
        data-zoomed={zoomed || undefined}
        // A scroll container must be reachable by keyboard.
        {...(zoomed ? { tabIndex: 0, role: 'group', 'aria-label': playerTexts.zoomed } : {})}
      >
        {children}
      </div>
      {ready ? (
        <button
          type="button"
          className={classes.magnify}
          aria-label={label}
          aria-pressed={zoomed}
          title={label}
          onClick={() => setZoomed(!zoomed)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d={zoomed ? `${GLASS}M8 11h6` : `${GLASS}M8 11h6M11 8v6`} />
          </svg>
        </button>
      ) : null}
    </>
  );
}

const GLASS = 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M16 16l4.5 4.5';

/** Any other file: name, size and download. */
export function FileSurface(props: PlayerProps) {
  const { src, title, file, tracker, renew, onDownload, downloadable = true } = props;
  useDwell(tracker, true);
  useRenewal(renew, src);
  const size = file ? formatBytes(file.size) : '';
  return (
    <div className={classes.card}>
      <FileIcon />
      <p className={classes.name}>{file?.name || title}</p>
      <p className={classes.meta}>{[playerTexts.file, size].filter(Boolean).join(' · ')}</p>
      {downloadable ? (
        <a className={classes.button} href={src} onClick={onDownload} download={file?.name ?? ''}>
          {playerTexts.download}
        </a>
      ) : (
        <p className={classes.meta}>{playerTexts.notDownloadable}</p>
      )}
    </div>
  );
}

/** A link that is not embedded. */
export function LinkSurface({ src, title, onDownload }: PlayerProps) {
  const href = safeLink(src);
  return (
    <div className={classes.card}>
      <p className={classes.name}>{title}</p>
      {href === null ? (
        <p className={classes.meta}>{playerTexts.linkInvalid}</p>
      ) : (
        <a className={classes.button} href={href} target="_blank" rel="noreferrer" onClick={onDownload}>
          {playerTexts.openLink}
        </a>
      )}
    </div>
  );
}

export function FileIcon() {
  return (
    <svg className={classes.icon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M14 3v4a1 1 0 0 0 1 1h4M5 21h14V8l-5-5H6a1 1 0 0 0-1 1z" />
    </svg>
  );
}
