/** Searching in a document of 400 pages, with pdf.js replaced. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Player } from '../player.tsx';
import { openPdf, type PdfPage } from './pdf-file.ts';

vi.mock('./pdf-file.ts', () => ({ openPdf: vi.fn(), pdfErrorOf: () => 'broken' }));

const size = { width: 100, height: 200 };
const PAGES = 400;
let asked: number[] = [];

/** Every hundredth page has the word twice. */
const textOf = (number: number) => (number % 100 === 0 ? `Budget and budget ${number}` : `Page ${number}`);

function page(number: number): PdfPage {
  const done = () => ({ done: Promise.resolve(), cancel: () => undefined });
  return {
    size,
    draw: done,
    write: (container) => {
      container.textContent = textOf(number);
      return done();
    },
    links: async () => [],
    release: () => undefined,
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  asked = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(124);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(200);
  const rect = { left: 10, top: 20, width: 100, height: 200 };
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(rect as DOMRect);
  Range.prototype.getClientRects = () => [{ left: 20, top: 120, width: 30, height: 10 }] as unknown as DOMRectList;
  const text = async (number: number) => {
    asked.push(number);
    // Reading a page takes a moment.
    vi.setSystemTime(Date.now() + 5);
    return textOf(number);
  };
  const file = { pages: PAGES, size, page: async (number: number) => page(number), text, pageOf: async () => null };
  vi.mocked(openPdf).mockReturnValue({ file: Promise.resolve(file), close: () => undefined });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function show(startAt?: number) {
  render(<Player kind="pdf" src="/media/g/source" title="Figures" {...(startAt === undefined ? {} : { startAt })} />);
  await act(async () => {
    await import('./pdf-surface.tsx');
    await vi.advanceTimersByTimeAsync(50);
  });
}

const field = () => screen.getByRole('searchbox', { name: 'Find in the document' });
const state = () => screen.getAllByRole('status').at(-1)?.textContent;
const current = () => screen.getAllByRole('status')[0]?.textContent;
const scroller = () => screen.getByRole('region', { name: 'Figures' });
const marks = () => [...document.querySelectorAll('[data-page] > [class*="mark"]')];

async function find(words: string) {
  fireEvent.click(screen.getByRole('button', { name: 'Find in the document' }));
  await pass(10);
  fireEvent.change(field(), { target: { value: words } });
  await pass(400);
}

test('counts the matches, marks them, and steps through them in both directions', async () => {
  await show();
  await find('BUDGET');
  expect(state()).toBe('1 of 8');
  expect(current()).toBe('Page 100 of 400');
  expect(marks()).toHaveLength(2);
  expect(marks()[0]?.getAttribute('style')).toBe('left: 10%; top: 50%; width: 30%; height: 5%;');
  expect(marks().map((mark) => mark.hasAttribute('data-active'))).toEqual([true, false]);
  fireEvent.keyDown(field(), { key: 'Enter' });
  await pass(50);
  expect(state()).toBe('2 of 8');
  fireEvent.click(screen.getByRole('button', { name: 'Next match' }));
  await pass(50);
  expect([state(), current()]).toEqual(['3 of 8', 'Page 200 of 400']);
  for (let step = 0; step < 3; step += 1) {
    fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true });
    await pass(50);
  }
  expect([state(), current()]).toEqual(['8 of 8', 'Page 400 of 400']);
});

test('leads to a match once, not again when its page is scrolled back to', async () => {
  await show();
  await find('budget 200');
  expect([state(), current()]).toEqual(['1 of 1', 'Page 200 of 400']);
  const near = scroller().scrollTop - 150;
  for (const top of [0, near]) {
    scroller().scrollTop = top;
    fireEvent.scroll(scroller());
    await pass(50);
  }
  expect(marks()).toHaveLength(1);
  expect(scroller().scrollTop).toBe(near);
});

test('leads back to the only match, whether its page is still drawn or not', async () => {
  await show();
  await find('budget 200');
  const { scrollTop } = scroller();
  for (const top of [scrollTop - 150, 0]) {
    scroller().scrollTop = top;
    fireEvent.scroll(scroller());
    await pass(50);
    fireEvent.click(screen.getByRole('button', { name: 'Next match' }));
    await pass(50);
    expect([top, scroller().scrollTop]).toEqual([top, scrollTop]);
  }
});

test('begins with the page that is read', async () => {
  await show(250);
  await find('budget');
  expect(current()).toBe('Page 300 of 400');
  expect(asked.slice(0, 2)).toEqual([250, 251]);
  expect(state()).toBe('5 of 8');
});

test('says how far it is, lets the person continue meanwhile, and ends with an answer', async () => {
  let answer = (_: string) => {};
  const slow = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const opening = vi.mocked(openPdf)({} as Parameters<typeof openPdf>[0]);
  const file = await opening.file;
  vi.mocked(openPdf).mockReturnValue({
    file: Promise.resolve({ ...file, text: (number) => (number === 30 ? slow : file.text(number)) }),
    close: () => undefined,
  });
  await show();
  await find('nowhere');
  expect(state()).toMatch(/^Searching page \d+ of 400$/);
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await pass(10);
  expect(current()).toBe('Page 2 of 400');
  answer('');
  await pass(1000);
  expect(state()).toBe('Not found');
  expect(screen.getByRole('button', { name: 'Next match' }).getAttribute('aria-disabled')).toBe('true');
});

test('ends at 1000 matches and says that there may be more', async () => {
  const file = await vi.mocked(openPdf)({} as Parameters<typeof openPdf>[0]).file;
  const text = async () => 'word '.repeat(1000);
  vi.mocked(openPdf).mockReturnValue({ file: Promise.resolve({ ...file, text }), close: () => undefined });
  await show();
  await find('word');
  expect(state()).toBe('1 of at least 1000');
});

test('other words end the search before', async () => {
  await show();
  await find('nowhere');
  asked = [];
  fireEvent.change(field(), { target: { value: 'page 7' } });
  await pass(400);
  expect(state()).toBe('1 of 11');
  expect(asked.filter((number) => number === 1)).toHaveLength(1);
});

test('opens by Ctrl+F and slash, closes by Escape, and leaves other fields alone', async () => {
  const other = document.body.appendChild(document.createElement('input'));
  await show();
  expect(fireEvent.keyDown(other, { key: '/' })).toBe(true);
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(fireEvent.keyDown(document.body, { key: 'f', ctrlKey: true })).toBe(false);
  await pass(10);
  expect(document.activeElement).toBe(field());
  // The browser's own search stays in reach.
  expect(fireEvent.keyDown(field(), { key: 'f', ctrlKey: true })).toBe(true);
  fireEvent.keyDown(field(), { key: 'Escape' });
  await pass(10);
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Figures' }));
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(false);
  await pass(10);
  expect(document.activeElement).toBe(field());
  other.remove();
});
