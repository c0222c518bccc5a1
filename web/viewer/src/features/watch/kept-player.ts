/**
 * The player of video and audio. It stays mounted when its page is left while something plays, so that playback and its
 * view continue: pages lend it a place, and without one it is docked in the mini player.
 */
import type { PlayerProps } from '@vitrine/player';

/** What is played, and where its page is. */
export interface Played {
  orgId: string;
  playlistId: string;
  itemId: string;
  props: PlayerProps;
  /** What the mini player offers to play after it. */
  next?: Upcoming | undefined;
}

/** An item that can be played without its page. */
export interface Upcoming {
  title: string;
  begin: () => Played;
}

/** The player. `serial` tells one playback from the next. */
export interface KeptPlayer extends Played {
  serial: number;
  /** Its page was left. */
  away: boolean;
}

type Where = Pick<Played, 'orgId' | 'playlistId' | 'itemId'>;

let kept: KeptPlayer | null = null;
let serial = 0;
/** What the place passed last. */
let passed: PlayerProps | null = null;
let place: HTMLElement | null = null;
let dock: HTMLElement | null = null;
let frame: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Returns the current player. */
export function keptPlayer(): KeptPlayer | null {
  return kept;
}

/** Calls back after each change; returns an unsubscribe function. */
export function onKeptPlayer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The element that holds the player. It is moved, never removed: a media element without a document pauses. */
export function playerFrame(): HTMLElement {
  frame ??= document.createElement('div');
  return frame;
}

/** Returns the media element, once it is loaded. */
export function keptMedia(): HTMLMediaElement | null {
  return frame?.querySelector<HTMLMediaElement>('video, audio') ?? null;
}

/** Returns whether the page of this item would take the player over, instead of starting a new one. */
export function wouldContinue(where: Where): boolean {
  return kept?.away === true && isSame(kept, where);
}

/** Shows the player in a place. `fresh` starts over even if the same item is playing. */
export function showPlayer(element: HTMLElement, played: Played, fresh: boolean): void {
  const continued = !fresh && wouldContinue(played) ? kept : null;
  place = element;
  passed = played.props;
  move(element);
  if (continued === null) {
    serial += 1;
    change({ ...played, serial, away: false });
  } else {
    change({ ...played, props: withTracker(played.props, continued), serial: continued.serial, away: false });
  }
}

/** Passes changes on; only the place that shows the player may. */
export function updatePlayer(element: HTMLElement, { props, next }: Played): void {
  if (kept === null || place !== element || props === passed) return;
  passed = props;
  change({ ...kept, props: withTracker(props, kept), next });
}

/** A place is about to disappear: what plays moves to the mini player, anything else ends. */
export function leavePlayer(element: HTMLElement): void {
  if (kept === null || place !== element) return;
  place = null;
  const media = keptMedia();
  if (media === null || media.paused || media.ended || dock === null) {
    closePlayer();
    return;
  }
  move(dock);
  const { session, onEnded: _, ...props } = kept.props;
  // What the page would do next is its own business.
  const rest = session === undefined ? props : { ...props, session: { artist: session.artist } };
  change(withNext({ ...kept, props: rest, away: true }));
}

/** Plays the next item where the player is: in the mini player, whose page stays closed. */
export function playNext(): void {
  if (kept?.away !== true || kept.next === undefined) return;
  serial += 1;
  change(withNext({ ...kept.next.begin(), serial, away: true }));
}

/** The lock screen and the keys of a headset do what the button of the mini player does. */
function withNext(player: KeptPlayer): KeptPlayer {
  const { props, next } = player;
  if (next === undefined || props.session === undefined) return player;
  return { ...player, props: { ...props, session: { ...props.session, onNext: playNext } } };
}

/** The mini player tells where it is; null when it is gone. */
export function dockAt(element: HTMLElement | null): void {
  dock = element;
}

/** Ends playback; the player tells how far it came. */
export function closePlayer(): void {
  if (kept !== null) change(null);
}

/** The tracker stays, so that the view continues. */
function withTracker(props: PlayerProps, { props: { tracker } }: Played): PlayerProps {
  return tracker === undefined ? props : { ...props, tracker };
}

function isSame(a: Where, b: Where): boolean {
  return a.orgId === b.orgId && a.playlistId === b.playlistId && a.itemId === b.itemId;
}

/** Keeps the state of what is moved where the browser can. */
function move(to: HTMLElement): void {
  const element = playerFrame();
  // It refuses what is not in the document.
  if (element.isConnected && to.isConnected && 'moveBefore' in to) {
    (to as HTMLElement & { moveBefore: (node: Node, before: Node | null) => void }).moveBefore(element, null);
  } else {
    to.append(element);
  }
}

function change(next: KeptPlayer | null): void {
  kept = next;
  for (const listener of listeners) listener();
}
