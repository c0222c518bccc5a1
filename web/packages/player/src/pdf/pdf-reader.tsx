/** An open document: a column of pages, a toolbar, and keyboard shortcuts. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { BeatTracker } from '../beat-tracker.ts';
import type { PlaybackPosition } from '../player-props.ts';
import { useDwell } from '../use-dwell.ts';
import { useShownPlace } from '../use-place.ts';
import type { Match } from './find-text.ts';
import type { PdfFile } from './pdf-file.ts';
import { PdfFind, useFindKeys } from './pdf-find.tsx';
import { PdfPageView } from './pdf-page.tsx';
import classes from './pdf-reader.module.css';
import { PdfToolbar } from './pdf-toolbar.tsx';
import { useFind } from './use-find.ts';
import { type Reading, useReading } from './use-reading.ts';

const NONE: readonly Match[] = [];

interface PdfReaderProps {
  file: PdfFile;
  title: string;
  /** The download URL; null if the file may not be downloaded. */
  download: string | null;
  onDownload?: (() => void) | undefined;
  tracker?: BeatTracker | undefined;
  /** The page to open. */
  startAt?: number | undefined;
  onPlace?: ((place: PlaybackPosition) => void) | undefined;
}

export function PdfReader({ file, title, download, onDownload, tracker, startAt, onPlace }: PdfReaderProps) {
  const reading = useReading(file, startAt);
  const { layout, drawn, page } = reading;
  const { pages } = file;
  useEffect(() => tracker?.learn({ pages }), [tracker, pages]);
  useDwell(tracker, true, page);
  useShownPlace(onPlace, page, file.pages);
  const search = useSearch(file, reading);
  const numbers = Array.from({ length: drawn.last - drawn.first + 1 }, (_, index) => drawn.first + index);
  return (
    <div className={classes.reader}>
      <PdfToolbar
        reading={reading}
        pages={file.pages}
        download={download}
        onDownload={onDownload}
        finding={search.open}
        onFind={search.toggle}
      />
      {search.open ? (
        <PdfFind finding={search.finding} pages={file.pages} field={search.field} onClose={search.close} />
      ) : null}
      <section
        ref={reading.scroller}
        className={classes.scroller}
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard.
        tabIndex={0}
        onScroll={reading.follow}
        onKeyDown={(event) => press(event, reading, file.pages)}
      >
        <div className={classes.pages} style={{ height: layout.total, width: layout.width }}>
          {numbers.map((number) => (
            <PdfPageView
              key={number}
              file={file}
              number={number}
              top={layout.tops[number - 1] ?? 0}
              width={layout.width}
              height={layout.heights[number - 1] ?? 0}
              onMeasured={reading.measured}
              onGoTo={reading.goTo}
              matches={search.finding.found.get(number) ?? NONE}
              active={search.finding.active}
              step={search.finding.step}
              onActive={search.reveal}
            />
          ))}
        </div>
      </section>
    </div>
  );
}

/** The search bar, and the way to what it finds. */
function useSearch(file: PdfFile, reading: Reading) {
  const field = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const finding = useFind(file, reading.page);
  const { active, step, setWords } = finding;
  const { goTo, drawn } = reading;
  const revealed = useRef(0);
  // A page that is drawn shows the match itself, at its place.
  const away = active !== null && (active.page < drawn.first || active.page > drawn.last);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a step leads to the page of its match.
  useEffect(() => {
    if (active !== null && away) goTo(active.page);
  }, [step]);
  // A page tells again when it is drawn again; by then the person may have scrolled on.
  const reveal = (page: number, share: number) => {
    if (step === revealed.current) return;
    revealed.current = step;
    reading.reveal(page, share);
  };
  useEffect(() => {
    if (open) field.current?.focus();
  }, [open]);
  const show = () => {
    setOpen(true);
    field.current?.select();
    field.current?.focus();
  };
  const close = () => {
    setOpen(false);
    setWords('');
    reading.scroller.current?.focus({ preventScroll: true });
  };
  useFindKeys(field, show);
  return { field, open, finding, reveal, close, toggle: open ? close : show };
}

function press(event: KeyboardEvent<HTMLElement>, reading: Reading, pages: number): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const { scrollWidth, clientWidth } = event.currentTarget;
  const act = actOf(event.key, reading, pages, scrollWidth > clientWidth);
  if (act === null) return;
  event.preventDefault();
  act();
}

/** Up and down scroll natively; so do left and right if a page is wider than the container. */
function actOf(key: string, { page, goTo, zoomIn, zoomOut, fit }: Reading, pages: number, wide: boolean) {
  const turn = (to: number) => () => goTo(to);
  switch (key) {
    case 'PageDown':
      return turn(page + 1);
    case 'PageUp':
      return turn(page - 1);
    case 'ArrowRight':
      return wide ? null : turn(page + 1);
    case 'ArrowLeft':
      return wide ? null : turn(page - 1);
    case 'Home':
      return turn(1);
    case 'End':
      return turn(pages);
    case '+':
    case '=':
      return zoomIn;
    case '-':
      return zoomOut;
    case '0':
      return fit;
    default:
      return null;
  }
}
