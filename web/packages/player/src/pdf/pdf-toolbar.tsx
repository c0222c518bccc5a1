/** The toolbar of a document: page number, zoom and download. */
import { pdfTexts, playerTexts } from '../texts.ts';
import classes from './pdf-reader.module.css';
import type { Reading } from './use-reading.ts';

interface PdfToolbarProps {
  reading: Reading;
  pages: number;
  /** Null if the file may not be downloaded. */
  download: string | null;
  onDownload?: (() => void) | undefined;
}

const icons = {
  previous: 'M15 6l-6 6 6 6',
  next: 'M9 6l6 6-6 6',
  smaller: 'M5 12h14',
  larger: 'M12 5v14M5 12h14',
  fit: 'M4 12h16M4 12l3-3M4 12l3 3M20 12l-3-3M20 12l-3 3M4 5v2M20 5v2M4 17v2M20 17v2',
  download: 'M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2M7 11l5 5 5-5M12 4v12',
} as const;

export function PdfToolbar({ reading, pages, download, onDownload }: PdfToolbarProps) {
  const { page, zoom, goTo, zoomIn, zoomOut, fit } = reading;
  return (
    <div className={classes.toolbar}>
      <div className={classes.group}>
        <Tool icon="previous" label={pdfTexts.previousPage} onPress={page > 1 ? () => goTo(page - 1) : null} />
        <p className={classes.count} role="status">
          {pdfTexts.pageOf(page, pages)}
        </p>
        <Tool icon="next" label={pdfTexts.nextPage} onPress={page < pages ? () => goTo(page + 1) : null} />
      </div>
      <div className={classes.group}>
        <Tool icon="smaller" label={pdfTexts.zoomOut} onPress={zoomOut} />
        <span className={classes.zoom}>{pdfTexts.zoom(Math.round(zoom * 100))}</span>
        <Tool icon="larger" label={pdfTexts.zoomIn} onPress={zoomIn} />
        <Tool icon="fit" label={pdfTexts.fitWidth} onPress={zoom === 1 ? null : fit} />
        {download === null ? null : (
          <a
            className={classes.tool}
            href={download}
            download=""
            aria-label={playerTexts.download}
            title={playerTexts.download}
            onClick={onDownload}
          >
            <Icon name="download" />
          </a>
        )}
      </div>
    </div>
  );
}

interface ToolProps {
  icon: keyof typeof icons;
  label: string;
  /** Null if unavailable; the button then keeps focus. */
  onPress: (() => void) | null;
}

function Tool({ icon, label, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className={classes.tool}
      aria-label={label}
      title={label}
      aria-disabled={onPress === null}
      onClick={() => onPress?.()}
    >
      <Icon name={icon} />
    </button>
  );
}

function Icon({ name }: { name: keyof typeof icons }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={icons[name]} />
    </svg>
  );
}
