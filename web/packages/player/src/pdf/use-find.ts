/** A search in a document: page by page, so that a long document stays usable meanwhile. */
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { type Match, matchesIn, pagesFrom } from './find-text.ts';
import type { PdfFile } from './pdf-file.ts';

/** The search ends with this many matches; more would be of no use. */
const MOST_MATCHES = 1000;

/** Milliseconds without typing before the search begins. */
const SETTLED_MS = 200;

/** Longest time between two breaths for scrolling and typing, in milliseconds. */
const BREATH_MS = 16;

interface Progress {
  words: string;
  /** By page. */
  found: ReadonlyMap<number, readonly Match[]>;
  total: number;
  searched: number;
  over: boolean;
}

/** The match that is shown, and the number of steps that led to it: another step may lead to the same match. */
interface ShownMatch {
  active: Match | null;
  step: number;
}

const NOTHING: Progress = { words: '', found: new Map(), total: 0, searched: 0, over: true };

/** Searches for the words; `startAt` is the page on which the search begins. */
export function useFind(file: PdfFile, startAt: number) {
  const [words, setWords] = useState('');
  const [progress, setProgress] = useState(NOTHING);
  const [{ active, step }, setShown] = useState<ShownMatch>({ active: null, step: 0 });
  const start = useEffectEvent(() => startAt);
  useEffect(() => {
    setProgress(NOTHING);
    setShown((before) => ({ ...before, active: null }));
    if (words.trim() === '') return;
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        void search(file, words, start(), stop.signal, (next) => {
          setProgress(next);
          setShown((before) => (before.active === null ? stepTo(firstOf(next), before) : before));
        }),
      SETTLED_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [file, words]);
  const matches = useMemo(() => inOrder(progress.found), [progress.found]);
  const at = active === null ? -1 : matches.indexOf(active);
  const move = (by: 1 | -1) => {
    const next = matches.at((at + by + matches.length) % Math.max(1, matches.length));
    if (next !== undefined) setShown((before) => stepTo(next, before));
  };
  return {
    words,
    setWords,
    found: progress.found,
    active,
    step,
    /** The number of the active match, from 1; 0 if there is none. */
    at: at + 1,
    total: progress.total,
    more: progress.total >= MOST_MATCHES,
    searched: progress.searched,
    /** The search has ended; false also while it waits for the typing to end. */
    over: progress.over && (progress.words === words || words.trim() === ''),
    next: () => move(1),
    previous: () => move(-1),
  };
}

/** A search and what it has found. */
export type Finding = ReturnType<typeof useFind>;

async function search(
  file: PdfFile,
  words: string,
  startAt: number,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  let progress: Progress = { ...NOTHING, words, over: false };
  let breathedAt = performance.now();
  onProgress(progress);
  for (const page of pagesFrom(startAt, file.pages)) {
    // A page that cannot be read has no words.
    const text = await file.text(page).catch(() => '');
    if (signal.aborted) return;
    const matches = matchesIn(text, words, page, MOST_MATCHES - progress.total);
    const found = matches.length === 0 ? progress.found : new Map([...progress.found, [page, matches]]);
    progress = { ...progress, found, total: progress.total + matches.length, searched: progress.searched + 1 };
    if (progress.total >= MOST_MATCHES) break;
    if (performance.now() - breathedAt < BREATH_MS) continue;
    onProgress(progress);
    await new Promise((done) => setTimeout(done));
    if (signal.aborted) return;
    breathedAt = performance.now();
  }
  onProgress({ ...progress, over: true });
}

function stepTo(active: Match | null, before: ShownMatch): ShownMatch {
  return active === null ? before : { active, step: before.step + 1 };
}

/** The first match in the order of the search. */
function firstOf({ found }: Progress): Match | null {
  return found.values().next().value?.[0] ?? null;
}

function inOrder(found: ReadonlyMap<number, readonly Match[]>): Match[] {
  return [...found.entries()].sort(([a], [b]) => a - b).flatMap(([, matches]) => matches);
}
