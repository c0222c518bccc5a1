/** A YouTube or Vimeo video: no request goes to the host before the person clicks. */
import { useState } from 'react';
import type { EmbeddedVideo } from './embed.ts';
import classes from './player.module.css';
import type { PlayerProps } from './player-props.ts';
import { playerTexts } from './texts.ts';
import { useFrameTracking } from './use-frame-tracking.ts';

/** A click-to-load poster, then the frame. */
export function EmbedSurface({ video, title, poster, tracker, onEnded }: PlayerProps & { video: EmbeddedVideo }) {
  const [open, setOpen] = useState(false);
  const frame = useFrameTracking(video, open, tracker, onEnded);
  if (open) {
    return (
      <div className={classes.video}>
        <iframe
          ref={frame}
          className={classes.frame}
          src={video.frameUrl}
          title={title}
          allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
          referrerPolicy="strict-origin-when-cross-origin"
        />
      </div>
    );
  }
  return (
    <button type="button" className={classes.invitation} onClick={() => setOpen(true)}>
      {poster ? <img src={poster} alt="" /> : null}
      <span className={classes.veil}>
        <svg className={classes.triangle} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M8 5v14l11-7z" />
        </svg>
        <span>{playerTexts.play(title)}</span>
        <small>{playerTexts.loadsFrom(playerTexts.hosts[video.provider])}</small>
      </span>
    </button>
  );
}
