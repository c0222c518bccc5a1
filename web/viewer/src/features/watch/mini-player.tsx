/** The mini player: what keeps playing after its page was left, with a way back. It also holds the player of the page. */
import { Link } from '@tanstack/react-router';
import { Icon } from '@vitrine/brand/icon';
import { Player } from '@vitrine/player';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { closePlayer, dockAt, type KeptPlayer, keptMedia, keptPlayer, playerFrame, playNext } from './kept-player.ts';
import classes from './mini-player.module.css';
import { WATCH } from './texts.ts';

/** Hidden while the player is on its page. */
export function MiniPlayer({ kept }: { kept: KeptPlayer }) {
  const { orgId, playlistId, itemId, props, serial, away, next } = kept;
  const { title, session } = props;
  const play = useRef<HTMLButtonElement>(null);
  const close = () => {
    closePlayer();
    // The button is gone; the keyboard continues at the screen.
    document.querySelector('main')?.focus();
  };
  const skip = () => {
    playNext();
    // After the last item the button is gone.
    if (keptPlayer()?.next === undefined) play.current?.focus();
  };
  return (
    <>
      {createPortal(<Player key={serial} {...props} compact={away} />, playerFrame())}
      {away ? <div className={classes.space} /> : null}
      <section className={classes.mini} aria-label={WATCH.miniPlayer} hidden={!away}>
        <Link
          to="/org/$orgId/playlists/$playlistId"
          params={{ orgId, playlistId }}
          search={{ item: itemId }}
          className={classes.back}
          aria-label={WATCH.backTo(title)}
        >
          <span ref={dockAt} className={classes.dock} data-kind={props.kind} inert={away} />
          <span className={classes.words}>
            <span className={classes.title}>{title}</span>
            <span className={classes.artist}>{session?.artist}</span>
          </span>
        </Link>
        {away ? <PlayButton title={title} serial={serial} button={play} /> : null}
        {away && next !== undefined ? (
          <button type="button" className={classes.button} aria-label={WATCH.next(next.title)} onClick={skip}>
            <Icon name="skip" size={24} />
          </button>
        ) : null}
        <button type="button" className={classes.button} aria-label={WATCH.close(title)} onClick={close}>
          <Icon name="close" />
        </button>
      </section>
    </>
  );
}

interface PlayButtonProps {
  title: string;
  /** Which playback it is about. */
  serial: number;
  button: RefObject<HTMLButtonElement | null>;
}

function PlayButton({ title, serial, button }: PlayButtonProps) {
  const paused = usePaused(serial);
  const onClick = () => {
    const media = keptMedia();
    if (media === null) return;
    if (media.paused) void media.play().catch(() => undefined);
    else media.pause();
  };
  return (
    <button
      ref={button}
      type="button"
      className={classes.button}
      aria-label={paused ? WATCH.play(title) : WATCH.pause(title)}
      onClick={onClick}
    >
      <Icon name={paused ? 'play' : 'pause'} size={24} />
    </button>
  );
}

function usePaused(serial: number): boolean {
  const [paused, setPaused] = useState(() => keptMedia()?.paused ?? true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a browser may refuse to play the next item, without an event
  useEffect(() => {
    const follow = () => setPaused(keptMedia()?.paused ?? true);
    follow();
    const stop = new AbortController();
    for (const name of ['play', 'pause', 'ended']) {
      // Events of media do not bubble.
      playerFrame().addEventListener(name, follow, { capture: true, signal: stop.signal });
    }
    return () => stop.abort();
  }, [serial]);
  return paused;
}
