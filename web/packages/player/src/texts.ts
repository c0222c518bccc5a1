/** Visible texts of the player. */
export const playerTexts = {
  play: (title: string) => `Play ${title}`,
  hosts: { youtube: 'YouTube', vimeo: 'Vimeo' },
  loadsFrom: (host: string) => `Loads from ${host}`,
  playerOf: (title: string) => `Player: ${title}`,
  playFailed: 'This could not be played.',
  imageFailed: 'This image could not be loaded.',
  retry: 'Retry',
  file: 'File',
  sizeUnits: ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'],
  download: 'Download',
  linkInvalid: 'This link is not valid.',
  openLink: 'Open link',
} as const;

/** Visible texts of the document reader. */
export const pdfTexts = {
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
} as const;
