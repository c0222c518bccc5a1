/** Video and audio: the native element with media-chrome controls. Loaded on demand. */
import './media-elements.ts';
import { type ReactNode, useCallback, useImperativeHandle, useRef, useState } from 'react';
import { KeyboardButton, KeyboardHelp, useHelpKey } from './keyboard-help.tsx';
import classes from './player.module.css';
import type { CaptionTrack, PlayerProps } from './player-props.ts';
import { QualitySelect } from './quality-select.tsx';
import { RemoteButton } from './remote-button.tsx';
import { playerTexts } from './texts.ts';
import { useDoubleTap } from './use-double-tap.ts';
import { useMediaSession } from './use-media-session.ts';
import { useMediaTracking } from './use-media-tracking.ts';
import { useMediaPlace } from './use-place.ts';
import { usePlayback } from './use-playback.ts';
import { useRenewal } from './use-renewal.ts';
import { Waveform } from './waveform.tsx';

/** The label by which media-chrome finds the storyboard. */
const STORYBOARD = 'thumbnails';

/** Plays a video or audio file. */
export function MediaSurface(props: PlayerProps & { kind: 'video' | 'audio' }) {
  const { kind, title, tracker, renew, captions = [], storyboard = '', waveform = '' } = props;
  const media = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [begun, setBegun] = useState(false);
  const [helping, setHelping] = useState(false);
  const help = useCallback(() => setHelping(true), []);
  useHelpKey(frame, help);
  const jumped = useDoubleTap(frame, media);
  const playback = usePlayback(props, media);
  useMediaTracking(media, tracker);
  useMediaPlace(media, props.onPlace);
  useImperativeHandle(props.controls, () => ({
    playFrom: (positionMs) => playback.playFrom(positionMs / 1000),
    position: () => (media.current?.currentTime ?? 0) * 1000,
  }));
  useMediaSession(media, title, props.poster, props.session);
  useRenewal(renew, playback.address);
  const shared = {
    ref: media,
    slot: 'media',
    src: playback.src,
    preload: 'metadata' as const,
    autoPlay: props.autoPlay === true,
    'aria-label': title,
    onLoadedMetadata: playback.onLoadedMetadata,
    onTimeUpdate: playback.onTimeUpdate,
    onSeeking: playback.onSeeking,
    onError: playback.onError,
    onPlaying: () => {
      if (!begun) keepFocus(frame.current);
      setBegun(true);
    },
    onEnded: props.onEnded,
  };
  return (
    <div
      ref={frame}
      className={kind === 'audio' ? classes.audio : classes.video}
      data-begun={begun || undefined}
      data-compact={props.compact || undefined}
    >
      {kind === 'audio' && props.poster ? <img className={classes.cover} src={props.poster} alt="" /> : null}
      {kind === 'audio' && waveform !== '' ? <Waveform src={waveform} media={media} /> : null}
      <media-controller
        className={classes.controller}
        audio={kind === 'audio'}
        // Its own list of keys is in English only.
        hotkeys="noshift+/"
        ref={named(playerTexts.playerOf(title))}
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
        {kind === 'video' && !begun ? <media-play-button slot="centered-chrome" className={classes.begin} /> : null}
        <Controls kind={kind} languages={captions.length}>
          <QualitySelect
            stream={kind === 'video' ? (props.stream ?? '') : ''}
            height={playback.height}
            onChoose={playback.choose}
          />
          <KeyboardButton onOpen={help} />
          <span className={classes.elsewhere}>
            <RemoteButton media={media} />
            <media-airplay-button />
            {kind === 'video' ? <media-pip-button /> : null}
          </span>
        </Controls>
      </media-controller>
      {helping ? <KeyboardHelp kind={kind} captions={captions.length > 0} onClose={() => setHelping(false)} /> : null}
      <Jumped side={jumped} />
      {playback.failed ? <Failure onRetry={playback.retry} /> : null}
    </div>
  );
}

interface ControlsProps {
  kind: 'video' | 'audio';
  /** Number of captions. */
  languages: number;
  children: ReactNode;
}

/** The timeline is above the buttons, because it needs the full width on a phone. */
function Controls({ kind, languages, children }: ControlsProps) {
  return (
    <div className={classes.controls} data-controls="">
      {languages > 1 ? <media-captions-menu hidden anchor="auto" className={classes.menu} /> : null}
      <media-control-bar>
        <media-time-range />
        <media-time-display showduration />
      </media-control-bar>
      <media-control-bar>
        <media-play-button />
        <media-seek-backward-button seekoffset="10" />
        <media-seek-forward-button seekoffset="10" />
        <media-mute-button className={classes.wide} />
        <media-volume-range className={classes.wide} />
        <span className={classes.space} />
        <media-playback-rate-button rates="0.75 1 1.25 1.5 2" />
        {languages === 1 ? <media-captions-button ref={asSwitch} /> : null}
        {languages > 1 ? <media-captions-menu-button /> : null}
        {children}
        {kind === 'video' ? <media-fullscreen-button /> : null}
      </media-control-bar>
    </div>
  );
}

/** The button that starts is about to go: the keyboard continues at the player. */
function keepFocus(frame: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement?.localName !== 'media-play-button' || frame?.contains(activeElement) !== true) return;
  activeElement.closest<HTMLElement>('media-controller')?.focus();
}

/** Names the controller: it names itself when it enters the document. */
function named(name: string): (element: HTMLElement | null) => void {
  return (element) => element?.setAttribute('aria-label', name);
}

/** Sets the role to switch: the element reports a checked state, which its default role of button does not allow. */
function asSwitch(element: HTMLElement | null): void {
  element?.setAttribute('role', 'switch');
}

/** Decorative: the time line shows the new position. */
function Jumped({ side }: { side: -1 | 0 | 1 }) {
  if (side === 0) return null;
  return (
    <span className={classes.jumped} data-side={side} aria-hidden="true">
      {side < 0 ? playerTexts.jumpedBack : playerTexts.jumpedForward}
    </span>
  );
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
