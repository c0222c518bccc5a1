import { afterEach, expect, test, vi } from 'vitest';
import { cropImage, fittedSize } from './crop-image.ts';

test('a part keeps its shape and is never enlarged', () => {
  expect(fittedSize({ x: 0, y: 0, width: 300, height: 300 })).toEqual({ width: 300, height: 300 });
  expect(fittedSize({ x: 9, y: 9, width: 4320, height: 6480 })).toEqual({ width: 1440, height: 2160 });
  expect(fittedSize({ x: 0, y: 0, width: 9000, height: 1 })).toEqual({ width: 2160, height: 1 });
});

/** A canvas that records what is drawn; its images have the given sizes. */
function canvasOf(sizes: Record<string, number>) {
  const drawn: unknown[][] = [];
  const context = {
    fillStyle: '',
    globalCompositeOperation: 'source-over',
    drawImage: (_: unknown, ...numbers: number[]) => drawn.push(['image', ...numbers]),
    fillRect: (...numbers: number[]) => drawn.push([context.fillStyle, context.globalCompositeOperation, ...numbers]),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done, type) {
    const size = sizes[type ?? ''];
    drawn.push([type, this.width, this.height]);
    done(size === undefined ? null : new Blob([new Uint8Array(size)], { type: type ?? '' }));
  });
  return drawn;
}

afterEach(() => vi.restoreAllMocks());

const image = new Image();
const part = { x: 10, y: 20, width: 4320, height: 2160 };
const cut = (name: string, type: string, max = 100) => cropImage(image, part, new File(['x'], name, { type }), max);

test('the part is drawn at the size that screens need', async () => {
  const drawn = canvasOf({ 'image/jpeg': 9 });
  const file = await cut('team.photo.jpeg', 'image/jpeg');
  expect([file.name, file.type, file.size]).toEqual(['team.photo.jpg', 'image/jpeg', 9]);
  expect(drawn[0]).toEqual(['image', 10, 20, 4320, 2160, 0, 0, 2160, 1080]);
  expect(drawn.at(-1)).toEqual(['image/jpeg', 2160, 1080]);
});

test.each(['image/png', 'image/webp', 'image/gif'])('%s may be transparent, so it becomes a PNG', async (type) => {
  const drawn = canvasOf({ 'image/png': 100, 'image/jpeg': 9 });
  const file = await cut('logo.webp', type);
  expect([file.name, file.type]).toEqual(['logo.png', 'image/png']);
  expect(drawn.map(([what]) => what)).toEqual(['image', 'image/png']);
});

test('a PNG that is too large becomes a JPEG on white', async () => {
  const drawn = canvasOf({ 'image/png': 101, 'image/jpeg': 9 });
  const file = await cut('logo.png', 'image/png');
  expect([file.name, file.type]).toEqual(['logo.jpg', 'image/jpeg']);
  expect(drawn.slice(2)).toEqual([
    ['#fff', 'destination-over', 0, 0, 2160, 1080],
    ['image/jpeg', 2160, 1080],
  ]);
});

test('a browser that makes no image is an error', async () => {
  canvasOf({});
  await expect(cut('a.jpg', 'image/jpeg')).rejects.toThrow('No image');
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  await expect(cut('a.jpg', 'image/jpeg')).rejects.toThrow('no canvas');
});
