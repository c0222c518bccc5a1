/** Stands in for the cropper: this environment shows no images. */
import type { ImageCropper as Real } from '../ui/image-cropper.tsx';

export function ImageCropper({ title, file, shape, onDone, onClose }: Parameters<typeof Real>[0]) {
  const { type, lastModified } = file;
  return (
    <div role="dialog" aria-label={title}>
      <span>{shape.label}</span>
      <button type="button" onClick={() => onDone(new File([file], `cropped-${file.name}`, { type, lastModified }))}>
        Use image
      </button>
      <button type="button" onClick={onClose}>
        Cancel crop
      </button>
    </div>
  );
}
