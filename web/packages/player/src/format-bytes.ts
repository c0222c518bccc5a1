/** Formatting of file sizes: base 1024, at most two decimals. */

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** Formats a size as in '1.5 MB'; 0 and invalid sizes give '0 Bytes'. */
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
