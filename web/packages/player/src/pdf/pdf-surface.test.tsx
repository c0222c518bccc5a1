/** The PDF surface, with pdf.js replaced by a document of blank pages. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BeatTracker } from '../beat-tracker.ts';
import type { Beat } from '../events.ts';
import { Player } from '../player.tsx';
import type { PlayerProps } from '../player-props.ts';
import { openPdf, type PdfError, type PdfFile, type PdfLink, type PdfPage } from './pdf-file.ts';

vi.mock('./pdf-file.ts', () => ({
  openPdf: vi.fn(),
  pdfErrorOf: (reason: { error: PdfError }) => reason.error,
}));

const size = { width: 100, height: 200 };
const VIEWPORT = { width: 124, height: 200 };
const links: PdfLink[] = [];
let drawn: string[] = [];
let released: number[] = [];

function blank(number: number): PdfPage {
  const done = () => ({ done: Promise.resolve(), cancel: () => undefined });
  return {
    size,
    draw: (canvas, width) => {
      canvas.width = width;
      drawn.push(`${number} at ${width}`);
      return done();
    },
    write: (container) => {
      container.textContent = `Words of page ${number}`;
      return done();
    },
    links: async () => (number === 1 ? links : []),
    release: () => released.push(number),
  };
}

const document12: PdfFile = {
  pages: 12,
  size,
  page: async (number) => blank(number),
  text: async (number) => `Words of page ${number}`,
  pageOf: async (target) => (target === 'the end' ? 12 : null),
};

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  drawn = [];
  released = [];
  links.length = 0;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(VIEWPORT.width);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(VIEWPORT.height);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Request = Parameters<typeof openPdf>[0];

/** The outcome of each attempt to open. */
function opens(...outcomes: (PdfFile | PdfError)[]) {
  const requests: Request[] = [];
  const close = vi.fn();
  vi.mocked(openPdf).mockImplementation((request) => {
    requests.push(request);
    const outcome = outcomes[Math.min(requests.length, outcomes.length) - 1] ?? 'broken';
    const file = typeof outcome === 'string' ? Promise.reject({ error: outcome }) : Promise.resolve(outcome);
    return { file, close };
  });
  return { requests, close };
}

async function show(props: Partial<PlayerProps> = {}) {
  const view = render(
    <Player kind="pdf" src="/media/g/source" title="Figures" file={{ name: 'figures.pdf', size: 5000 }} {...props} />,
  );
  await act(async () => {
    await import('./pdf-surface.tsx');
    await vi.advanceTimersByTimeAsync(50);
  });
  return view;
}

const status = () => screen.getByRole('status').textContent;
const press = async (label: string) => {
  fireEvent.click(screen.getByRole('button', { name: label }));
  await act(() => vi.advanceTimersByTimeAsync(10));
};
const mounted = () => screen.getAllByRole('region', { name: /^Page \d+ of 12$/ }).map((page) => page.dataset.page);

test('pages are rendered when near the viewport and released when far', async () => {
  opens(document12);
  await show();
  expect(status()).toBe('Page 1 of 12');
  expect(screen.getByText('Words of page 1')).toBeTruthy();
  expect(mounted()).toEqual(['1', '2']);
  expect(drawn).toEqual(['1 at 100', '2 at 100']);
  for (let turn = 0; turn < 5; turn += 1) await press('Next page');
  expect(status()).toBe('Page 6 of 12');
  expect(mounted()).toEqual(['5', '6', '7']);
  expect(released).toEqual(expect.arrayContaining([1, 2, 3]));
});

test('a page without text is announced as an image, one with text by its text', async () => {
  const scanned: PdfPage = { ...blank(2), write: () => ({ done: Promise.resolve(), cancel: () => undefined }) };
  opens({ ...document12, page: async (number) => (number === 2 ? scanned : blank(number)) });
  await show();
  expect(screen.getAllByRole('img').map((picture) => picture.getAttribute('aria-label'))).toEqual([
    'Page 2, image without text',
  ]);
});

test('keys turn pages and zoom; browser shortcuts keep working', async () => {
  opens(document12);
  await show();
  const reader = screen.getByRole('region', { name: 'Figures' });
  const key = async (name: string, fields = {}) => {
    const left = fireEvent.keyDown(reader, { key: name, ...fields });
    await act(() => vi.advanceTimersByTimeAsync(200));
    return left;
  };
  await key('PageDown');
  await key('ArrowRight');
  expect(status()).toBe('Page 3 of 12');
  await key('PageUp');
  await key('ArrowLeft');
  await key('ArrowLeft');
  expect(status()).toBe('Page 1 of 12');
  await key('End');
  expect(status()).toBe('Page 12 of 12');
  await key('Home');
  await key('+');
  expect(drawn.at(-1)).toBe('2 at 125');
  expect(screen.getByText('125 %')).toBeTruthy();
  await key('-');
  await key('-');
  expect(screen.getByText('75 %')).toBeTruthy();
  await key('0');
  expect(screen.getByText('100 %')).toBeTruthy();
  expect(await key('+', { ctrlKey: true })).toBe(true);
  expect(await key('ArrowDown')).toBe(true);
  expect(screen.getByText('100 %')).toBeTruthy();
});

test('buttons are disabled at the first and last page and zoom level', async () => {
  opens({ ...document12, pages: 1 });
  await show();
  const disabled = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-disabled');
  expect(['Previous page', 'Next page', 'Fit width'].map(disabled)).toEqual(['true', 'true', 'true']);
  for (let step = 0; step < 8; step += 1) await press('Zoom in');
  expect(screen.getByText('400 %')).toBeTruthy();
  expect(disabled('Zoom in')).toBe('true');
  await press('Fit width');
  expect(screen.getByText('100 %')).toBeTruthy();
});

test('web links open safely in a new tab, internal links go to their page, and anything else is not a link', async () => {
  const box = { left: 0, top: 0, width: 10, height: 10 };
  links.push(
    { id: 'a', box, url: 'https://example.com/', target: null },
    { id: 'b', box, url: 'javascript:alert(1)', target: null },
    { id: 'c', box, url: 'file:///etc/passwd', target: null },
    { id: 'd', box, url: '', target: 'the end' },
    { id: 'e', box, url: 'mailto:ada@example.com', target: null },
  );
  opens(document12);
  await show();
  const found = screen.getAllByRole('link').filter((link) => link.textContent !== '');
  expect(found.map((link) => link.getAttribute('href'))).toEqual(['https://example.com/', 'mailto:ada@example.com']);
  expect(found.map((link) => [link.getAttribute('rel'), link.getAttribute('target')])).toEqual([
    ['noopener noreferrer', '_blank'],
    ['noopener noreferrer', '_blank'],
  ]);
  await press('Go to another page');
  expect(status()).toBe('Page 12 of 12');
});

test('shows the loaded size while opening', async () => {
  const { requests } = opens(document12);
  vi.mocked(openPdf).mockImplementation((request) => {
    requests.push(request);
    return { file: new Promise(() => undefined), close: () => undefined };
  });
  await show();
  expect(requests[0]).toMatchObject({ address: '/media/g/source', size: 5000 });
  act(() => requests[0]?.onProgress(1024, 4096));
  expect(screen.getByText('Loading: 1 KB of 4 KB')).toBeTruthy();
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('1024');
});

test.each([
  ['password', 'This PDF is protected by a password. Download it to open it.'],
  ['broken', 'This PDF is damaged and cannot be shown. You can still download it.'],
] as const)('a document with the error "%s" says so and can be downloaded', async (error, sentence) => {
  opens(error);
  const onDownload = vi.fn();
  await show({ onDownload });
  expect(screen.getByRole('alert').textContent).toContain(sentence);
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  const link = screen.getByRole('link', { name: 'Download' });
  expect(link.getAttribute('href')).toBe('/media/g/source?download=1');
  link.addEventListener('click', (event) => event.preventDefault());
  fireEvent.click(link);
  expect(onDownload).toHaveBeenCalledOnce();
});

test('a document that is not offered as a download has no link for it', async () => {
  opens(document12);
  await show({ downloadable: false });
  expect(screen.getByRole('button', { name: 'Next page' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Download' })).toBeNull();
});

test('a document that could not be fetched is opened again on Retry, and closed when it goes', async () => {
  const { requests, close } = opens('unreachable', document12);
  const places: number[] = [];
  const { unmount } = await show({ startAt: 1, onPlace: ({ position }) => places.push(position) });
  expect(screen.getByText('This PDF could not be loaded.')).toBeTruthy();
  // Only one of the two is the main action.
  const classesOf = (role: string, name: string) => screen.getByRole(role, { name }).className;
  expect(classesOf('link', 'Download')).toMatch(/second/);
  expect(classesOf('button', 'Retry')).not.toMatch(/second/);
  await press('Retry');
  expect(status()).toBe('Page 1 of 12');
  await press('Next page');
  act(() => requests[1]?.onLost());
  expect(screen.getByText('This PDF could not be loaded.')).toBeTruthy();
  await press('Retry');
  expect(status(), 'where it was lost').toBe('Page 2 of 12');
  expect(places.at(-1)).toBe(2);
  unmount();
  expect(requests).toHaveLength(3);
  expect(close).toHaveBeenCalledTimes(3);
});

test('a page that fails to render does not affect the others', async () => {
  const failing = async (number: number) => {
    if (number === 2) throw new Error('bad page');
    return blank(number);
  };
  opens({ ...document12, page: failing });
  await show();
  expect(screen.getByText('Words of page 1')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Page 2 of 12' }).textContent).toBe('This page cannot be shown.');
});

test('opens the page where the person stopped, and tells the page that is read', async () => {
  opens(document12);
  const onPlace = vi.fn();
  await show({ startAt: 7, onPlace });
  expect(status()).toBe('Page 7 of 12');
  expect(onPlace).toHaveBeenLastCalledWith({ position: 7, length: 12, settled: false });
  await press('Next page');
  expect(onPlace).toHaveBeenLastCalledWith({ position: 8, length: 12, settled: false });
});

test('a page that the document no longer has opens the last one', async () => {
  opens(document12);
  await show({ startAt: 99 });
  expect(status()).toBe('Page 12 of 12');
});

test('beats report viewed pages, not pages scrolled past', async () => {
  const beats: Beat[] = [];
  const tracker = new BeatTracker({
    contentId: 'c',
    now: Date.now,
    newId: () => 'id',
    sink: (beat) => beats.push(beat),
  });
  opens(document12);
  const { unmount } = await show({ tracker });
  await vi.advanceTimersByTimeAsync(12_000);
  for (let turn = 0; turn < 4; turn += 1) await press('Next page');
  await vi.advanceTimersByTimeAsync(5000);
  unmount();
  expect(beats.map(({ from, to, state }) => [from, to, state])).toEqual([
    [1, 1, 'playing'],
    [1, 1, 'playing'],
    [1, 1, 'playing'],
    [5, 5, 'paused'],
  ]);
});
