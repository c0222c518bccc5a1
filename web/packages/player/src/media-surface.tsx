/** Video and audio: the native element with media-chrome controls. Loaded on demand. */
import './media-elements.ts';
import { useRef } from 'react';
import classes from './player.module.css';
import type { CaptionTrack, PlayerProps } from './player-props.ts';
import { playerTexts } from './texts.ts';
import { useMediaTracking } from './use-media-tracking.ts';
import { usePlayback } from './use-playback.ts';
import { useRenewal } from './use-renewal.ts';
import { Waveform } from './waveform.tsx';

/** The label by which media-chrome finds the storyboard. */
const STORYBOARD = 'thumbnails';

/** Plays a video or audio file. */
export function MediaSurface(props: PlayerProps & { kind: 'video' | 'audio' }) {
  const { kind, title, tracker, renew, captions = [], storyboard = '', waveform = '' } = props;
  const media = useRef<HTMLVideoElement>(null);
  const playback = usePlayback(props, media);
  useMediaTracking(media, tracker);
  useRenewal(renew, playback.address);
  const shared = {
    ref: media,
    slot: 'media',
    src: playback.src,
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
      {kind === 'audio' && waveform !== '' ? <Waveform src={waveform} media={media} /> : null}
      <media-controller
        className={classes.controller}
        audio={kind === 'audio'}
        aria-label={playerTexts.playerOf(title)}
      >
        {kind === 'audio' ? (
          <audio {...shared}>{tracks(captions)}</audio>
        ) : (
          <video {...shared} poster={props.poster || undefined} playsInline>
            {tracks(captions)}
            {storyboard === '' ? null : <track default kind="metadata" label={STORYBOARD} src={storyboard} />}
          </video>
        )}
        {kind === 'video' ? <media-loading-indicator slot="centered-chrome" noautohide /> : null}
        <Controls kind={kind} languages={captions.length} />
      </media-controller>
      {playback.failed ? <Failure onRetry={playback.retry} /> : null}
    </div>
  );
}

/** The timeline is above the buttons, because it needs the full width on a phone. */
function Controls({ kind, languages }: { kind: 'video' | 'audio'; languages: number }) {
  return (
    <div className={classes.controls}>
      {languages > 1 ? <media-captions-menu hidden anchor="auto" className={classes.menu} /> : null}
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
        {languages === 1 ? <media-captions-button ref={asSwitch} /> : null}
        {languages > 1 ? <media-captions-menu-button /> : null}
        {kind === 'video' ? <media-fullscreen-button /> : null}
      </media-control-bar>
    </div>
  );
}

/** Sets the role to switch: the element reports a checked state, which its default role of button does not allow. */
function asSwitch(element: HTMLElement | null): void {
  element?.setAttribute('role', 'switch');
}

function Failure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={classes.failure} role="alert">
      <p>{playerTexts.playFailed}</p>
      <button type="button" className={classes.button} onClick={onRetry}>
        {playerTexts.retry}
      </button>
    </div>
  );
}

function tracks(captions: readonly CaptionTrack[]) {
  return captions.map((track) => (
    <track key={track.src} kind="captions" src={track.src} srcLang={track.language} label={track.label} />
  ));
}
