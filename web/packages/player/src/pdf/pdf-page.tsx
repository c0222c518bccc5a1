/** One page: its canvas, a text layer for selection and screen readers, and its links. */
import { type CSSProperties, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { safeLink } from '../embed.ts';
import { pdfTexts } from '../texts.ts';
import type { Match } from './find-text.ts';
import type { Size } from './page-layout.ts';
import type { PdfFile, PdfLink, PdfPage } from './pdf-file.ts';
import { PdfMarks } from './pdf-marks.tsx';
import classes from './pdf-reader.module.css';

/** Debounce before a page is rendered at another size, in milliseconds. */
const SETTLED_MS = 120;

interface PdfPageViewProps {
  file: PdfFile;
  number: number;
  /** In CSS pixels. */
  top: number;
  width: number;
  height: number;
  onMeasured: (number: number, size: Size) => void;
  onGoTo: (number: number) => void;
  /** What was found on this page. */
  matches: readonly Match[];
  active: Match | null;
  step: number;
  onActive: (number: number, share: number) => void;
}

/** Mounted while near the viewport; releases its resources on unmount. */
export function PdfPageView({ file, number, top, width, height, onMeasured, onGoTo, ...found }: PdfPageViewProps) {
  const words = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<PdfPage | null>(null);
  const [failed, setFailed] = useState(false);
  // Null until the text layer is written.
  const [wordless, setWordless] = useState<boolean | null>(null);
  const loaded = useEffectEvent((found: PdfPage) => {
    setPage(found);
    onMeasured(number, found.size);
  });
  useEffect(() => {
    let over = false;
    let release = () => {};
    file.page(number).then(
      (found) => {
        if (over) return;
        release = found.release;
        loaded(found);
      },
      () => {
        if (!over) setFailed(true);
      },
    );
    return () => {
      over = true;
      release();
    };
  }, [file, number]);
  const scale = page === null ? 1 : width / page.size.width;
  return (
    <section
      className={classes.page}
      aria-label={pdfTexts.pageOf(number, file.pages)}
      data-page={number}
      style={{ top, width, height, '--total-scale-factor': scale } as CSSProperties}
    >
      {page !== null && width > 0 && (
        <>
          <PageCanvas
            page={page}
            width={width}
            name={wordless === true ? pdfTexts.pageWithoutText(number) : null}
            onFailed={() => setFailed(true)}
          />
          <Words host={words} page={page} onWritten={(text) => setWordless(text.trim() === '')} />
          {wordless === false && found.matches.length > 0 ? (
            <PdfMarks
              words={words}
              matches={found.matches}
              active={found.active}
              step={found.step}
              onActive={(share) => found.onActive(number, share)}
            />
          ) : null}
          <Links file={file} page={page} onGoTo={onGoTo} />
        </>
      )}
      {failed && <p className={classes.broken}>{pdfTexts.pageFailed}</p>}
    </section>
  );
}

interface PageCanvasProps {
  page: PdfPage;
  width: number;
  /** Accessible name if the page has no text, otherwise null. */
  name: string | null;
  onFailed: () => void;
}

/** On resize, the old canvas stays stretched until the new one is ready. */
function PageCanvas({ page, width, name, onFailed }: PageCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const canvas = document.createElement('canvas');
    let cancel = () => {};
    const draw = () => {
      const work = page.draw(canvas, width);
      cancel = work.cancel;
      work.done.then(
        () => {
          if (canvas.width > 0) show(element, canvas);
        },
        () => failed(),
      );
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (element.childElementCount === 0) draw();
    else timer = setTimeout(draw, SETTLED_MS);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [page, width]);
  useEffect(() => {
    const element = host.current;
    return () => {
      if (element !== null) show(element, null);
    };
  }, []);
  const spoken = name === null ? ({ 'aria-hidden': true } as const) : ({ role: 'img', 'aria-label': name } as const);
  return <div ref={host} className={classes.canvas} {...spoken} />;
}

/** Setting a canvas to size 0 frees its memory immediately. */
function show(host: HTMLElement, canvas: HTMLCanvasElement | null): void {
  const old = [...host.querySelectorAll('canvas')];
  host.replaceChildren(...(canvas === null ? [] : [canvas]));
  for (const one of old) {
    if (one === canvas) continue;
    one.width = 0;
    one.height = 0;
  }
}

interface WordsProps {
  host: RefObject<HTMLDivElement | null>;
  page: PdfPage;
  onWritten: (words: string) => void;
}

function Words({ host, page, onWritten }: WordsProps) {
  const written = useEffectEvent(onWritten);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const work = page.write(element);
    let over = false;
    const report = () => {
      if (!over) written(element.textContent);
    };
    // Without its text layer, the page is still visible.
    work.done.then(report, report);
    return () => {
      over = true;
      work.cancel();
      element.replaceChildren();
    };
  }, [host, page]);
  return <div ref={host} className={classes.words} />;
}

function Links({ file, page, onGoTo }: { file: PdfFile; page: PdfPage; onGoTo: (number: number) => void }) {
  const [links, setLinks] = useState<readonly PdfLink[]>([]);
  useEffect(() => {
    let over = false;
    page.links().then(
      (found) => {
        if (!over) setLinks(found);
      },
      () => undefined,
    );
    return () => {
      over = true;
    };
  }, [page]);
  const follow = async (target: unknown) => {
    const number = await file.pageOf(target).catch(() => null);
    if (number !== null) onGoTo(number);
  };
  return links.map(({ id, box, url, target }) => {
    const style = { left: `${box.left}%`, top: `${box.top}%`, width: `${box.width}%`, height: `${box.height}%` };
    if (url === '') {
      return (
        <button
          key={id}
          type="button"
          className={classes.link}
          style={style}
          aria-label={pdfTexts.goToPage}
          onClick={() => void follow(target)}
        />
      );
    }
    const href = hrefOf(url);
    if (href === null) return null;
    return (
      <a
        key={id}
        className={classes.link}
        style={style}
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        title={href}
      >
        <span className={classes.hidden}>{href}</span>
      </a>
    );
  });
}

/** Allows only web and mailto URLs; a document may contain anything. */
function hrefOf(url: string): string | null {
  return /^mailto:[^\s@]+@[^\s@]+$/i.test(url) ? url : safeLink(url);
}
