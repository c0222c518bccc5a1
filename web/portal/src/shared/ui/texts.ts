/** Texts of images, links, contacts and unsaved changes: apart from those that every screen loads. */
export const uiTexts = {
  copyFailed: 'Unable to copy!',

  copy: 'Copy',
  copyNamed: (label: string) => `Copy ${label.toLowerCase()}`,
  copied: (label: string) => `${label} copied`,
  write: 'Send email',
  call: 'Call',

  cropTitle: (label: string) => `Crop ${label.toLowerCase()}`,
  cropShape: 'Shape',
  cropFree: 'Free',
  cropHint: 'Drag the frame or its corners, or use the arrow keys. With Shift, the keys move farther.',
  cropGif: 'An animated GIF becomes a still image: its first frame.',
  cropDone: 'Use image',
  cropLabels: {
    cropArea: 'Part of the image: arrow keys move it',
    nwDragHandle: 'Top left corner: arrow keys resize',
    nDragHandle: 'Top edge: arrow keys resize',
    neDragHandle: 'Top right corner: arrow keys resize',
    eDragHandle: 'Right edge: arrow keys resize',
    seDragHandle: 'Bottom right corner: arrow keys resize',
    sDragHandle: 'Bottom edge: arrow keys resize',
    swDragHandle: 'Bottom left corner: arrow keys resize',
    wDragHandle: 'Left edge: arrow keys resize',
  },
  chooseImage: 'Choose image',
  chooseNamed: (label: string) => `Choose image: ${label.toLowerCase()}`,
  replaceImage: 'Replace',
  replaceNamed: (label: string) => `Replace ${label.toLowerCase()}`,
  dropOrPaste: 'Drop an image, or point here and paste',

  qrCodeOf: (url: string) => `QR code of ${url}`,
  qrHint: 'Scan it with the camera of a phone, or print it.',
  qrDownload: 'Download QR code',

  leaveTitle: 'Unsaved changes',
  leaveQuestion: 'Leave this page without saving your changes?',
  leave: 'Leave without saving',
  stay: 'Stay',
} as const;
