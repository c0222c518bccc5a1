/** Reading state of a document: zoom, scroll position and current page. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { currentPage, drawnPages, GAP, layoutOf, type Position, positionAt, type Size, topOf } from './page-layout.ts';
import type { PdfFile } from './pdf-file.ts';

/** Zoom levels; 1 fits the available width. */
export const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;

const FIT = 1;

export function useReading({ pages, size }: Pick<PdfFile, 'pages' | 'size'>, startAt = 1) {
  const start = Math.min(Math.max(startAt, 1), pages);
  const scroller = useRef<HTMLDivElement>(null);
  const position = useRef<Position>({ page: start, share: 0 });
  const [viewport, setViewport] = useState<Size>({ width: 0, height: 0 });
  const [zoom, setZoom] = useState<number>(FIT);
  const [sizes, setSizes] = useState<readonly Size[]>(() => Array.from({ length: pages }, () => size));
  const [top, setTop] = useState(0);
  const [page, setPage] = useState(start);
  const width = Math.max(0, Math.round((viewport.width - 2 * GAP) * zoom));
  const layout = useMemo(() => layoutOf(sizes, width), [sizes, width]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => setViewport({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Keep the content at the top edge in place when pages are resized.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const wanted = topOf(layout, position.current);
    if (Math.abs(element.scrollTop - wanted) > 1) element.scrollTop = wanted;
    element.scrollLeft = (element.scrollWidth - element.clientWidth) / 2;
    setTop(element.scrollTop);
  }, [layout]);

  const follow = () => {
    const element = scroller.current;
    if (element === null) return;
    position.current = positionAt(layout, element.scrollTop);
    setTop(element.scrollTop);
    setPage((before) => currentPage(layout, element.scrollTop, viewport.height, before));
  };
  const goTo = (number: number, share = 0) => {
    const element = scroller.current;
    const next = Math.min(Math.max(number, 1), pages);
    if (element === null) return;
    position.current = { page: next, share };
    element.scrollTop = topOf(layout, position.current);
    setTop(element.scrollTop);
    setPage(next);
  };
  /** Scrolls to a place on a page, in the upper half of the viewport. */
  const reveal = (number: number, share: number) => {
    const height = layout.heights[number - 1] ?? 0;
    if (height > 0) goTo(number, Math.max(0, share - (viewport.height * 0.4) / height));
  };
  const measured = (number: number, found: Size) =>
    setSizes((before) => {
      const known = before[number - 1];
      const same = known === undefined || Math.abs(known.height / known.width - found.height / found.width) < 0.001;
      return same ? before : before.with(number - 1, found);
    });
  const larger = ZOOMS.find((step) => step > zoom);
  const smaller = ZOOMS.findLast((step) => step < zoom);
  return {
    scroller,
    layout,
    page,
    zoom,
    /** Pages to render. */
    drawn: drawnPages(layout, top, viewport.height),
    follow,
    goTo,
    reveal,
    measured,
    zoomIn: larger === undefined ? null : () => setZoom(larger),
    zoomOut: smaller === undefined ? null : () => setZoom(smaller),
    fit: () => setZoom(FIT),
  };
}

/** Actions on a document. */
export type Reading = ReturnType<typeof useReading>;
