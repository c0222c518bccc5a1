/** The shapes of images that screens show. */

/** A shape that the cropper presets. */
export interface CropShape {
  /** Width divided by height. */
  ratio: number;
  label: string;
}

export const cropShapes = {
  square: { ratio: 1, label: '1:1' },
  wallpaper: { ratio: 2 / 3, label: '2:3' },
  thumbnail: { ratio: 2, label: '2:1' },
} as const satisfies Record<string, CropShape>;
