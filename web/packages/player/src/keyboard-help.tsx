/** The keys of the player: a button, shown where there is a keyboard, and the list that it opens. */
import { type RefObject, useEffect, useRef } from 'react';
import classes from './player.module.css';
import { playerTexts } from './texts.ts';

/** The keys of each line of the list; `space` has a name in each language. */
const KEYS = {
  playback: ['space', 'K'],
  back: ['←', 'J'],
  forward: ['→', 'L'],
  louder: ['↑'],
  quieter: ['↓'],
  mute: ['M'],
  captions: ['C'],
  slower: ['<'],
  faster: ['>'],
  fullscreen: ['F'],
  pictureInPicture: ['P'],
  help: ['?'],
} as const satisfies Record<keyof typeof playerTexts.keys.lines, readonly string[]>;

type Shortcut = keyof typeof KEYS;

/** What audio has no use for. */
const OF_VIDEO: readonly Shortcut[] = ['fullscreen', 'pictureInPicture'];

export function KeyboardButton({ onOpen }: { onOpen: () => void }) {
  const { title } = playerTexts.keys;
  return (
    <button
      type="button"
      ref={keepKeys}
      className={classes.keysButton}
      aria-label={title}
      title={title}
      onClick={onOpen}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d="M3 7h18v10H3zM7 10.5h.01M10.5 10.5h.01M14 10.5h.01M17 10.5h.01M8 14h8" />
      </svg>
    </button>
  );
}

/** The keys that press the button are not shortcuts of the player. */
function keepKeys(element: HTMLElement | null): void {
  element?.setAttribute('keysused', 'Space Enter');
}

interface KeyboardHelpProps {
  kind: 'video' | 'audio';
  captions: boolean;
  onClose: () => void;
}

/** Mounted while open. Outside the controls, whose keys would otherwise work meanwhile. */
export function KeyboardHelp({ kind, captions, onClose }: KeyboardHelpProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { title, space, close, lines } = playerTexts.keys;
  const shown = (Object.keys(KEYS) as Shortcut[]).filter(
    (line) => (kind === 'video' || !OF_VIDEO.includes(line)) && (captions || line !== 'captions'),
  );
  return (
    <dialog ref={dialog} className={classes.keys} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      <dl>
        {shown.map((line) => (
          <div key={line}>
            <dt>
              {KEYS[line].map((key) => (
                <kbd key={key}>{key === 'space' ? space : key}</kbd>
              ))}
            </dt>
            <dd>{lines[line]}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className={classes.button} onClick={() => dialog.current?.close()}>
        {close}
      </button>
    </dialog>
  );
}

/** Opens the list by the question mark while the focus is in the player. */
export function useHelpKey(frame: RefObject<HTMLElement | null>, onOpen: () => void): void {
  useEffect(() => {
    const element = frame.current;
    const press = (event: KeyboardEvent) => {
      if (event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey) onOpen();
    };
    element?.addEventListener('keydown', press);
    return () => element?.removeEventListener('keydown', press);
  }, [frame, onOpen]);
}
