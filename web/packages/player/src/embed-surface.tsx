/** A YouTube or Vimeo video: no request goes to the host before the person clicks. */
import { useImperativeHandle, useState } from 'react';
import { type EmbeddedVideo, frameUrlAt } from './embed.ts';
import classes from './player.module.css';
import type { PlayerProps } from './player-props.ts';
import { playerTexts } from './texts.ts';
import { useFrameTracking } from './use-frame-tracking.ts';

/** A click-to-load poster, then the frame. */
export function EmbedSurface({ video, ...props }: PlayerProps & { video: EmbeddedVideo }) {
  const { title, poster, startAt = 0 } = props;
  // The position is saved while playing, which must not load the frame again. A jump opens a new
  // frame: one that is sent to another time may ignore it, or add an entry to the history.
  const [opened, setOpened] = useState({ frame: 0, atMs: 0 });
  const playFrom = (atMs: number) => setOpened((before) => ({ frame: before.frame + 1, atMs }));
  const { frame, position } = useFrameTracking(video, opened.frame, props);
  useImperativeHandle(props.controls, () => ({ playFrom, position }));
  if (opened.frame > 0) {
    return (
      <div className={classes.video}>
        <iframe
          key={opened.frame}
          ref={frame}
          className={classes.frame}
          src={frameUrlAt(video, opened.atMs)}
          title={title}
          allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
          referrerPolicy="strict-origin-when-cross-origin"
        />
      </div>
    );
  }
  return (
    <button type="button" className={classes.invitation} onClick={() => playFrom(startAt)}>
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
