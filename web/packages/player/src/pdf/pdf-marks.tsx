/** Marks over the words that were found on a page. */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { Match } from './find-text.ts';
import classes from './pdf-reader.module.css';

/** In percent of the page. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface PdfMarksProps {
  /** The text layer. */
  words: RefObject<HTMLElement | null>;
  matches: readonly Match[];
  active: Match | null;
  /** Counts the steps from match to match. */
  step: number;
  /** Told where the active match is, as a share of the page's height: after each step, and on mount. */
  onActive: (share: number) => void;
}

/** Mount when the text layer is written. */
export function PdfMarks({ words, matches, active, step, onActive }: PdfMarksProps) {
  const [marks, setMarks] = useState<ReadonlyMap<Match, readonly Box[]>>(new Map());
  const tell = useEffectEvent(onActive);
  useEffect(() => {
    const layer = words.current;
    setMarks(new Map(layer === null ? [] : matches.map((match) => [match, boxesOf(layer, match)])));
  }, [words, matches]);
  const top = active === null ? undefined : marks.get(active)?.[0]?.top;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step tells, also to the same match or height.
  useEffect(() => {
    if (top !== undefined) tell(top / 100);
  }, [top, step]);
  return [...marks].flatMap(([match, boxes]) =>
    boxes.map(({ left, top: y, width, height }) => (
      <span
        key={`${match.from} ${left} ${y}`}
        className={classes.mark}
        data-active={match === active || undefined}
        style={{ left: `${left}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
      />
    )),
  );
}

function boxesOf(layer: HTMLElement, { from, to }: Match): Box[] {
  const range = rangeOf(layer, from, to);
  const page = layer.getBoundingClientRect();
  if (range === null || page.width === 0 || page.height === 0) return [];
  return [...range.getClientRects()].map((rect) => ({
    left: ((rect.left - page.left) / page.width) * 100,
    top: ((rect.top - page.top) / page.height) * 100,
    width: (rect.width / page.width) * 100,
    height: (rect.height / page.height) * 100,
  }));
}

/** Returns the range between two positions in the text of an element; null if the text is shorter. */
function rangeOf(element: HTMLElement, from: number, to: number): Range | null {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let passed = 0;
  let begun = false;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { length } = node as Text;
    if (!begun && from < passed + length) {
      range.setStart(node, from - passed);
      begun = true;
    }
    if (begun && to <= passed + length) {
      range.setEnd(node, to - passed);
      return range;
    }
    passed += length;
  }
  return null;
}
