/** Video and audio: the native element inside media-chrome's controls. Loaded when something is to be played. */
import './media-elements.ts';
import { useRef } from 'react';
import classes from './player.module.css';
import type { CaptionTrack, PlayerProps } from './player-props.ts';
import { useMediaTracking } from './use-media-tracking.ts';
import { usePlayback } from './use-playback.ts';
import { useRenewal } from './use-renewal.ts';

/** Plays a file of kind video or audio. */
export function MediaSurface(props: PlayerProps & { kind: 'video' | 'audio' }) {
  const { kind, title, tracker, renew, captions = [] } = props;
  const media = useRef<HTMLVideoElement>(null);
  const playback = usePlayback(props, media);
  useMediaTracking(media, tracker);
  useRenewal(renew, playback.source);
  const shared = {
    ref: media,
    slot: 'media',
    src: playback.source,
    preload: 'metadata' as const,
    'aria-label': title,
    onLoadedMetadata: playback.onLoadedMetadata,
    onTimeUpdate: playback.onTimeUpdate,
    onError: playback.onError,
    onEnded: props.onEnded,
  };
  return (
    <div className={kind === 'audio' ? classes.audio : classes.video}>
      {kind === 'audio' && props.poster ? <img className={classes.cover} src={props.poster} alt="" /> : null}
      <media-controller className={classes.controller} audio={kind === 'audio'} aria-label={`Player: ${title}`}>
        {kind === 'audio' ? (
          <audio {...shared}>{tracks(captions)}</audio>
        ) : (
          <video {...shared} poster={props.poster || undefined} playsInline>
            {tracks(captions)}
          </video>
        )}
        {kind === 'video' ? <media-loading-indicator slot="centered-chrome" noautohide /> : null}
        <Controls kind={kind} captions={captions.length > 0} />
      </media-controller>
      {playback.failed ? <Failure onRetry={playback.retry} /> : null}
    </div>
  );
}

/** The time line stands above the buttons: on a phone it needs the whole width. */
function Controls({ kind, captions }: { kind: 'video' | 'audio'; captions: boolean }) {
  return (
    <div className={classes.controls}>
      <media-control-bar>
        <media-time-range />
      </media-control-bar>
      <media-control-bar>
        <media-play-button />
        <media-mute-button />
        <media-volume-range className={classes.wide} />
        <media-time-display showduration />
        <span className={classes.space} />
        <media-playback-rate-button rates="0.75 1 1.25 1.5 2" />
        {captions ? <media-captions-button /> : null}
        {kind === 'video' ? <media-fullscreen-button /> : null}
      </media-control-bar>
    </div>
  );
}

function Failure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={classes.failure} role="alert">
      <p>This could not be played.</p>
      <button type="button" className={classes.button} onClick={onRetry}>
        Retry
      </button>
    </div>
  );
}

function tracks(captions: readonly CaptionTrack[]) {
  return captions.map((track) => (
    <track key={track.src} kind="captions" src={track.src} srcLang={track.language} label={track.label} />
  ));
}
