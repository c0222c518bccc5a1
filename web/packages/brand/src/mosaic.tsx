/** Up to four images of a playlist's items, in place of its own image. */
import { imageAt } from './image-sizes.ts';
import classes from './mosaic.module.css';

interface MosaicProps {
  images: readonly string[];
  /** On the first screen, so not to be loaded late. */
  eager?: boolean;
  /** Called with an image that cannot be loaded. */
  onBroken: (image: string) => void;
}

/** Fills its frame. Decorative: the title is next to it. */
export function Mosaic({ images, eager = false, onBroken }: MosaicProps) {
  return (
    <span className={classes.mosaic} data-tiles={images.length}>
      {images.map((image) => (
        <img
          key={image}
          src={imageAt(image, 400)}
          alt=""
          loading={eager ? 'eager' : 'lazy'}
          onError={() => onBroken(image)}
        />
      ))}
    </span>
  );
}
