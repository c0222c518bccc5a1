/** The search bar of a document. */
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent } from 'react';
import { pdfTexts } from '../texts.ts';
import classes from './pdf-reader.module.css';
import { Tool } from './pdf-tool.tsx';
import type { Finding } from './use-find.ts';

interface PdfFindProps {
  finding: Finding;
  pages: number;
  field: RefObject<HTMLInputElement | null>;
  onClose: () => void;
}

/** Enter steps forward, Shift and Enter back, Escape closes. */
export function PdfFind({ finding, pages, field, onClose }: PdfFindProps) {
  const { words, setWords, total, next, previous } = finding;
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key !== 'Enter' || event.target !== field.current) return;
    else if (event.shiftKey) previous();
    else next();
    event.preventDefault();
  };
  const stepping = (step: () => void) => (total > 0 ? step : null);
  return (
    <search className={classes.find} onKeyDown={press}>
      <input
        ref={field}
        type="search"
        className={classes.field}
        aria-label={pdfTexts.find}
        placeholder={pdfTexts.findHint}
        autoComplete="off"
        maxLength={200}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <p className={classes.count} role="status">
        {stateOf(finding, pages)}
      </p>
      <Tool icon="previousMatch" label={pdfTexts.previousMatch} onPress={stepping(previous)} />
      <Tool icon="nextMatch" label={pdfTexts.nextMatch} onPress={stepping(next)} />
      <Tool icon="close" label={pdfTexts.closeFind} onPress={onClose} />
    </search>
  );
}

function stateOf({ words, at, total, more, over, searched }: Finding, pages: number): string {
  if (words.trim() === '') return '';
  if (total > 0) return more ? pdfTexts.manyMatches(at, total) : pdfTexts.matchOf(at, total);
  return over ? pdfTexts.noMatches : pdfTexts.searched(Math.min(searched + 1, pages), pages);
}

/**
 * Opens the search by Ctrl+F and by a slash, anywhere on the page: the browser's own search sees only the pages that are
 * drawn. In the field, Ctrl+F is the browser's.
 */
export function useFindKeys(field: RefObject<HTMLInputElement | null>, onOpen: () => void): void {
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.target === field.current) return;
      const control = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'f';
      const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
      if (!control && !slash) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [field]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null)
  );
}
