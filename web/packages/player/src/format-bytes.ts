/** Formatting of file sizes: base 1024, at most two decimals. */
import { playerTexts } from './texts.ts';

const units = playerTexts.sizeUnits;

/** Formats a size as in '1.5 MB'; 0 and invalid sizes give '0 Bytes'. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return `0 ${units[0]}`;
  let step = 0;
  let value = bytes;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${Number(value.toFixed(2))} ${units[step]}`;
}
