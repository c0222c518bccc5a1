/** Sizes of files for people: base 1024, at most two decimals. */

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** As in '1.5 MB'; 0 and anything that is no size is '0 Bytes'. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return '0 Bytes';
  let step = 0;
  let value = bytes;
  while (value >= 1024 && step < UNITS.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${Number(value.toFixed(2))} ${UNITS[step]}`;
}
