/** QR codes, drawn in the browser, so that a link is not sent anywhere. */
import encodeQR from 'qr';

/** Modules of quiet space around a code. */
const BORDER = 4;

/** A QR code as squares of a grid. */
export interface QrCode {
  /** Modules per side, quiet space included. */
  size: number;
  /** SVG path of the dark modules, one unit each. */
  path: string;
}

export function qrCode(text: string): QrCode {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER });
  const runs = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1] === true) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`];
    }),
  );
  return { size: rows.length, path: runs.join('') };
}

/** Returns the code as a PNG image of `width` pixels per side. */
export function qrPng({ size, path }: QrCode, width: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = width;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas.');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, width);
  // Whole pixels per module, so that edges stay sharp; the rest is quiet space.
  const scale = Math.floor(width / size);
  const offset = Math.floor((width - scale * size) / 2);
  context.translate(offset, offset);
  context.scale(scale, scale);
  context.fillStyle = '#000';
  context.fill(new Path2D(path));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('No image')) : resolve(blob)), 'image/png');
  });
}
