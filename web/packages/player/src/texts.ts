/** Visible texts of the player: English, unless the app hands over another language. */

export const englishTexts = {
  /** BCP 47 tag, also for numbers and the labels of the controls. */
  language: 'en',
  play: (title: string) => `Play ${title}`,
  hosts: { youtube: 'YouTube', vimeo: 'Vimeo' },
  loadsFrom: (host: string) => `Loads from ${host}`,
  playerOf: (title: string) => `Player: ${title}`,
  playFailed: 'This could not be played.',
  imageFailed: 'This image could not be loaded.',
  retry: 'Retry',
  quality: 'Quality',
  automatic: 'Auto',
  height: (pixels: number) => `${pixels}p`,
  remote: 'Play on another screen',
  keys: {
    title: 'Keyboard shortcuts',
    space: 'Space',
    close: 'Close',
    lines: {
      playback: 'Play or pause',
      back: 'Back 10 seconds',
      forward: 'Forward 10 seconds',
      louder: 'Louder',
      quieter: 'Quieter',
      mute: 'Sound on or off',
      captions: 'Captions on or off',
      slower: 'Slower',
      faster: 'Faster',
      fullscreen: 'Full screen',
      pictureInPicture: 'Picture in picture',
      help: 'This list',
    },
  },
  jumpedBack: '−10 s',
  jumpedForward: '+10 s',
  zoomImage: 'Zoom in',
  fitImage: 'Fit to screen',
  zoomed: 'Enlarged image',
  file: 'File',
  sizeUnits: ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'],
  download: 'Download',
  notDownloadable: 'This file is not offered as a download.',
  linkInvalid: 'This link is not valid.',
  openLink: 'Open link',
  pdf: {
    errors: {
      password: 'This PDF is protected by a password. Download it to open it.',
      broken: 'This PDF is damaged and cannot be shown. You can still download it.',
      unreachable: 'This PDF could not be loaded.',
    },
    loading: 'Loading',
    loaded: (loaded: string, total: string) => `Loading: ${loaded} of ${total}`,
    loadingDocument: 'Loading the document',
    pageOf: (number: number, pages: number) => `Page ${number} of ${pages}`,
    pageWithoutText: (number: number) => `Page ${number}, image without text`,
    pageFailed: 'This page cannot be shown.',
    goToPage: 'Go to another page',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    zoom: (percent: number) => `${percent} %`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fitWidth: 'Fit width',
    find: 'Find in the document',
    findHint: 'Find text',
    matchOf: (at: number, matches: number) => `${at} of ${matches}`,
    manyMatches: (at: number, matches: number) => `${at} of at least ${matches}`,
    noMatches: 'Not found',
    searched: (page: number, pages: number) => `Searching page ${page} of ${pages}`,
    previousMatch: 'Previous match',
    nextMatch: 'Next match',
    closeFind: 'Close search',
  },
};

/** The texts of one language. */
export type PlayerTexts = typeof englishTexts;

let current = englishTexts;

/** Shows other texts from the next rendering on; an object that looks its texts up may be given once for all. */
export function takePlayerTexts(texts: PlayerTexts): void {
  current = texts;
}

export const playerTexts: PlayerTexts = new Proxy(englishTexts, { get: (_, key) => Reflect.get(current, key) });

/** The texts of the document reader. */
export const pdfTexts: PlayerTexts['pdf'] = new Proxy(englishTexts.pdf, {
  get: (_, key) => Reflect.get(current.pdf, key),
});
