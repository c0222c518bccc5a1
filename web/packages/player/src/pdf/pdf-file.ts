/** A small wrapper around pdf.js with only what the reader needs. */
import {
  GlobalWorkerOptions,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
  VerbosityLevel,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageText } from './find-text.ts';
import type { Size } from './page-layout.ts';
import { PartReader, type PartReaderOptions } from './part-reader.ts';

// Bundled once for both apps, by the portal's build (tools/pdf-files.ts).
const files = `/assets/pdf-${version}/`;
GlobalWorkerOptions.workerSrc = `${files}pdf.worker.min.js`;

/** Some browsers refuse a larger canvas. */
const MAX_PIXELS = 4096 * 4096;

/** Why a document cannot be shown. */
export type PdfError = 'password' | 'broken' | 'unreachable';

/** Cancellable work; after cancelling, `done` does not reject. */
export interface Work {
  done: Promise<void>;
  cancel: () => void;
}

/** A link on a page, in percent of its width and height. */
export interface PdfLink {
  id: string;
  box: { left: number; top: number; width: number; height: number };
  /** The URL exactly as in the document; empty for a link inside the document. */
  url: string;
  /** A destination in the document; see `PdfFile.pageOf`. */
  target: unknown;
}

export interface PdfPage {
  /** Size in points, after the document's rotation. */
  size: Size;
  /** Renders it `width` CSS pixels wide, at the device's pixel ratio. */
  draw: (canvas: HTMLCanvasElement, width: number) => Work;
  /** Adds the invisible text layer, scaled by `--total-scale-factor`. */
  write: (container: HTMLElement) => Work;
  links: () => Promise<PdfLink[]>;
  /** Releases rendering resources. */
  release: () => void;
}

/** An open document. */
export interface PdfFile {
  pages: number;
  /** Size of the first page, assumed for the others until they are loaded. */
  size: Size;
  page: (number: number) => Promise<PdfPage>;
  /** Returns the text of a page, as `PageText` says; read once. */
  text: (number: number) => Promise<PageText>;
  /** Returns the page a link points to, or null. */
  pageOf: (target: unknown) => Promise<number | null>;
}

/** A document being opened. */
export interface PdfOpening {
  file: Promise<PdfFile>;
  close: () => void;
}

type OpenRequest = Omit<PartReaderOptions, 'signal'> & {
  /** A range failed to load after the document was opened. */
  onLost: () => void;
};

/** Classifies an error of `PdfOpening.file`: in the document, or in loading it. */
export function pdfErrorOf(error: unknown): PdfError {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'password';
  return name === 'InvalidPDFException' || name === 'UnknownErrorException' ? 'broken' : 'unreachable';
}

/** Opens a document; fetches only the ranges that are viewed. */
export function openPdf({ onLost, ...request }: OpenRequest): PdfOpening {
  const stop = new AbortController();
  const reader = new PartReader({ ...request, signal: stop.signal });
  let lose: (error: unknown) => void = () => undefined;
  // pdf.js would wait forever for a range that never arrives.
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  lost.catch(() => undefined);
  const fail = (error: unknown) => {
    if (stop.signal.aborted) return;
    lose(error);
    onLost();
  };
  let close: () => void = () => stop.abort();
  const open = async () => {
    const begun = await reader.begin();
    stop.signal.throwIfAborted();
    const task = getDocument(optionsFor(new RangeTransport(begun, reader, stop.signal, fail)));
    close = () => {
      stop.abort();
      void task.destroy();
    };
    const document = await Promise.race([task.promise, lost]);
    const first = await Promise.race([document.getPage(1), lost]);
    return fileOf(document, first);
  };
  return { file: open(), close: () => close() };
}

/** Passes ranges of the file to pdf.js. */
class RangeTransport extends PDFDataRangeTransport {
  readonly #read: (begin: number, end: number) => void;

  constructor(
    { total, start }: { total: number; start: Uint8Array },
    reader: PartReader,
    signal: AbortSignal,
    onLost: (error: unknown) => void,
  ) {
    super(total, start);
    this.#read = (begin, end) => {
      reader.part(begin, end).then((bytes) => {
        if (!signal.aborted) this.onDataRange(begin, bytes);
      }, onLost);
    };
  }

  override requestDataRange(begin: number, end: number): void {
    this.#read(begin, end);
  }
}

function optionsFor(range: PDFDataRangeTransport) {
  return {
    range,
    rangeChunkSize: 256 * 1024,
    disableAutoFetch: true,
    disableStream: true,
    // The CSP does not allow eval, and documents must not run scripts.
    isEvalSupported: false,
    enableXfa: false,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    iccUrl: `${files}iccs/`,
    verbosity: VerbosityLevel.ERRORS,
  };
}

function fileOf(document: PDFDocumentProxy, first: PDFPageProxy): PdfFile {
  const texts = new Map<number, PageText>();
  return {
    pages: document.numPages,
    size: sizeOf(first),
    page: async (number) => pageOf(await document.getPage(number)),
    text: async (number) => {
      const text = texts.get(number) ?? (await textOf(await document.getPage(number)));
      texts.set(number, text);
      return text;
    },
    pageOf: async (target) => {
      const place = typeof target === 'string' ? await document.getDestination(target) : target;
      const where: unknown = Array.isArray(place) ? place[0] : null;
      if (typeof where === 'number') return where < document.numPages ? where + 1 : null;
      if (typeof where !== 'object' || where === null) return null;
      return (await document.getPageIndex(where as Parameters<PDFDocumentProxy['getPageIndex']>[0])) + 1;
    },
  };
}

async function textOf(page: PDFPageProxy): Promise<PageText> {
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
}

function sizeOf(page: PDFPageProxy): Size {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

function pageOf(page: PDFPageProxy): PdfPage {
  const size = sizeOf(page);
  return {
    size,
    draw: (canvas, width) => {
      const area = (width * width * size.height) / size.width;
      const ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(MAX_PIXELS / area));
      const viewport = page.getViewport({ scale: (width / size.width) * ratio });
      canvas.width = Math.floor(viewport.width);
      canvas.height = Math.floor(viewport.height);
      const task = page.render({ canvas, viewport });
      return workOf(task.promise, () => task.cancel());
    },
    write: (container) => {
      const words = new TextLayer({
        textContentSource: page.streamTextContent(),
        container,
        viewport: page.getViewport({ scale: 1 }),
      });
      return workOf(words.render(), () => words.cancel());
    },
    links: () => linksOf(page, size),
    release: () => void page.cleanup(),
  };
}

function workOf(promise: Promise<unknown>, stop: () => void): Work {
  let over = false;
  const done = promise.then(
    () => undefined,
    (error: unknown) => {
      if (!over) throw error;
    },
  );
  const cancel = () => {
    over = true;
    stop();
  };
  return { done, cancel };
}

interface Annotation {
  id: string;
  subtype: string;
  rect: number[];
  url?: string;
  dest?: unknown;
}

async function linksOf(page: PDFPageProxy, { width, height }: Size): Promise<PdfLink[]> {
  const viewport = page.getViewport({ scale: 1 });
  const annotations: Annotation[] = await page.getAnnotations({ intent: 'display' });
  return annotations
    .filter(({ subtype, url, dest }) => subtype === 'Link' && (url !== undefined || dest != null))
    .map(({ id, rect, url = '', dest = null }) => {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(rect) as number[];
      const box = {
        left: (Math.min(x1, x2) / width) * 100,
        top: (Math.min(y1, y2) / height) * 100,
        width: (Math.abs(x2 - x1) / width) * 100,
        height: (Math.abs(y2 - y1) / height) * 100,
      };
      return { id, box, url, target: dest };
    });
}
