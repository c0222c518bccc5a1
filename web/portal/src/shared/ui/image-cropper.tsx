/** A dialog to choose the part of an image: by mouse, touch and keyboard. Imports the cropper, so load it on demand. */
import 'react-image-crop/dist/ReactCrop.css';
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import ReactCrop, { centerCrop, makeAspectCrop, type PercentCrop } from 'react-image-crop';
import { cropImage } from '../lib/crop-image.ts';
import { ownEscape } from '../lib/own-escape.ts';
import { useReturnFocus } from '../lib/return-focus.ts';
import { commonTexts } from '../lib/texts.ts';
import { HARD_LIMIT } from '../upload/image.ts';
import type { CropShape } from './crop-shapes.ts';
import classes from './image-cropper.module.css';
import { uiTexts } from './texts.ts';

interface ImageCropperProps {
  title: string;
  file: File;
  shape: CropShape;
  onDone: (file: File) => void;
  /** The file is not an image that the browser can show. */
  onUnreadable: () => void;
  onClose: () => void;
}

/** Smaller images are shown enlarged, or their frame could not be moved. */
const SMALL = 240;

/** Returns the width at which an image is shown, or undefined for its own. */
function shownWidth({ naturalWidth: width, naturalHeight: height }: HTMLImageElement): number | undefined {
  const longest = Math.max(width, height);
  return longest < SMALL ? (SMALL * width) / longest : undefined;
}

export function ImageCropper({ title, file, shape, onDone, onUnreadable, onClose }: ImageCropperProps) {
  const { ratio, label } = shape;
  useReturnFocus();
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const [free, setFree] = useState(false);
  const [crop, setCrop] = useState<PercentCrop>();
  const [busy, setBusy] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  // The frame appears with the image, after the dialog has set its focus.
  useEffect(() => {
    if (image !== null) stage.current?.querySelector<HTMLElement>('.ReactCrop__crop-selection')?.focus();
  }, [image]);
  const fill = (loaded: HTMLImageElement) => {
    const { naturalWidth: width, naturalHeight: height } = loaded;
    // As much of the image as the ratio allows, from its middle.
    const widest = makeAspectCrop({ unit: '%', width: 100 }, ratio, width, height);
    const part = widest.height <= 100 ? widest : makeAspectCrop({ unit: '%', height: 100 }, ratio, width, height);
    setCrop(centerCrop(part, width, height));
  };
  const choose = (chosen: boolean) => {
    setFree(chosen);
    if (!chosen && image !== null) fill(image);
  };
  const done = async () => {
    if (image === null || crop === undefined) return;
    setBusy(true);
    const { naturalWidth: width, naturalHeight: height } = image;
    const part = {
      x: (crop.x / 100) * width,
      y: (crop.y / 100) * height,
      width: (crop.width / 100) * width,
      height: (crop.height / 100) * height,
    };
    await cropImage(image, part, file, HARD_LIMIT).then(onDone, onUnreadable);
  };
  const close = busy ? () => undefined : onClose;
  return (
    <Modal opened onClose={close} {...ownEscape(close)} title={title} size="lg">
      <Stack gap="md">
        <SegmentedControl
          aria-label={uiTexts.cropShape}
          value={free ? 'free' : 'ratio'}
          onChange={(value) => choose(value === 'free')}
          data={[
            { value: 'ratio', label },
            { value: 'free', label: uiTexts.cropFree },
          ]}
        />
        <div className={classes.stage} ref={stage}>
          <ReactCrop
            className={classes.crop ?? ''}
            {...(crop === undefined ? {} : { crop })}
            {...(free ? {} : { aspect: ratio })}
            minWidth={24}
            minHeight={24}
            keepSelection
            ruleOfThirds
            ariaLabels={uiTexts.cropLabels}
            onChange={(_, percent) => setCrop(percent)}
          >
            <img
              className={classes.image}
              src={url}
              alt=""
              width={image === null ? undefined : shownWidth(image)}
              onLoad={(event) => {
                setImage(event.currentTarget);
                fill(event.currentTarget);
              }}
              onError={onUnreadable}
            />
          </ReactCrop>
        </div>
        <Text c="dimmed" fz="xs">
          {uiTexts.cropHint} {file.type === 'image/gif' && uiTexts.cropGif}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={busy}>
            {commonTexts.cancel}
          </Button>
          <Button onClick={() => void done()} loading={busy} disabled={image === null}>
            {uiTexts.cropDone}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
