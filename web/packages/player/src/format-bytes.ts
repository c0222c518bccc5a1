/** Formatting of file sizes: base 1024, at most two decimals. */
import { playerTexts } from './texts.ts';

/** Formats a size as in '1.5 MB'; 0 and invalid sizes give '0 Bytes'. */
export function formatBytes(bytes: number): string {
  const { sizeUnits: units, language } = playerTexts;
  if (!Number.isFinite(bytes) || bytes <= 0) return `0 ${units[0]}`;
  let step = 0;
  let value = bytes;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  const number = value.toLocaleString(language, { maximumFractionDigits: 2, useGrouping: false });
  return `${number} ${units[step]}`;
}
