/** Cuts a part out of an image and makes it no larger than screens need. */

/** A part of an image, in pixels of the image. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Longest side of a result. */
const LONGEST = 2160;
/** Quality of JPEG results. */
const QUALITY = 0.92;

/** Returns the size of a part once its longest side fits. */
export function fittedSize({ width, height }: Part): { width: number; height: number } {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Cuts the part out of a loaded image. Images that may be transparent stay PNG unless that is larger than `maxBytes`. */
export async function cropImage(image: HTMLImageElement, part: Part, file: File, maxBytes: number): Promise<File> {
  const { width, height } = fittedSize(part);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, width, height);
  const plain = file.name.replace(/\.[^.]+$/, '');
  if (file.type !== 'image/jpeg') {
    const png = await blobOf(canvas, 'image/png');
    if (png.size <= maxBytes) return new File([png], `${plain}.png`, { type: png.type });
  }
  // A JPEG has no transparency: what is behind the image becomes white, not black.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  const jpeg = await blobOf(canvas, 'image/jpeg');
  return new File([jpeg], `${plain}.jpg`, { type: jpeg.type });
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('No image')) : resolve(blob)), type, QUALITY);
  });
}
