/** The app's icons: one set with one stroke width. */

const PATHS = {
  alert: 'M12 8v5M12 16.5v.01M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18',
  back: 'M15 5l-7 7 7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M8 10l4-4 4 4M8 14l4 4 4-4',
  close: 'M6 6l12 12M18 6L6 18',
  file: 'M14 3v4a1 1 0 0 0 1 1h4M5 21h14V8l-5-5H6a1 1 0 0 0-1 1z',
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM10 20v-6h4v6',
  image: 'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM4 16l5-5 5 5 2-2 4 4M15 9v.01',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 6 6l1-1',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  music: 'M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0z',
  next: 'M9 5l7 7-7 7',
  offline: 'M3 3l18 18M8.5 15.5a5 5 0 0 1 6.5-.4M5 12a10 10 0 0 1 4-2.3M13 9.1A10 10 0 0 1 19 12M12 19v.01',
  person: 'M12 12a4 4 0 1 0 0-8a4 4 0 0 0 0 8zM5 20a7 7 0 0 1 14 0',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A16 16 0 0 1 4 5a1 1 0 0 1 1-1',
  play: 'M8 5v14l11-7z',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M16 16l4.5 4.5',
  skip: 'M6 5v14l9-7zM18 5v14',
  share: 'M12 4v11M8 7.5L12 4l4 3.5M6 11v8a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1v-8',
  pause: 'M8 5v14M16 5v14',
  download: 'M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2M7 11l5 5 5-5M12 4v12',
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: the label is next to it or on its button. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
