/** The toolbar of a document: page number, search, zoom and download. */
import { pdfTexts, playerTexts } from '../texts.ts';
import classes from './pdf-reader.module.css';
import { Tool, ToolIcon } from './pdf-tool.tsx';
import type { Reading } from './use-reading.ts';

interface PdfToolbarProps {
  reading: Reading;
  pages: number;
  /** Null if the file may not be downloaded. */
  download: string | null;
  onDownload?: (() => void) | undefined;
  /** Whether the search bar is open. */
  finding: boolean;
  onFind: () => void;
}

export function PdfToolbar({ reading, pages, download, onDownload, finding, onFind }: PdfToolbarProps) {
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
        <Tool icon="find" label={pdfTexts.find} onPress={onFind} expanded={finding} />
        <Tool icon="smaller" label={pdfTexts.zoomOut} onPress={zoomOut} />
        <span className={classes.zoom}>{pdfTexts.zoom(Math.round(zoom * 100))}</span>
        <Tool icon="larger" label={pdfTexts.zoomIn} onPress={zoomIn} />
        <span className={classes.optional}>
          <Tool icon="fit" label={pdfTexts.fitWidth} onPress={zoom === 1 ? null : fit} />
        </span>
        {download === null ? null : (
          <a
            className={classes.tool}
            href={download}
            download=""
            aria-label={playerTexts.download}
            title={playerTexts.download}
            onClick={onDownload}
          >
            <ToolIcon name="download" />
          </a>
        )}
      </div>
    </div>
  );
}
