/** What an item without an image shows in its place. */

/** Where the peaks are. The URL is signed anew with every list; the id is not. */
export interface Wave {
  uid: string;
  url: string;
}

interface Item {
  uid: string;
  title: string;
  kind: string;
  waveformUrl: string;
}

/** Returns what an item without an image shows instead of an icon: audio its waveform, an embedded video a drawn cover. */
export function coverOfItem(item: Item): { wave?: Wave; cover?: { uid: string; title: string } } {
  const { uid, kind, waveformUrl } = item;
  if (kind === 'embed') return { cover: item };
  return kind === 'audio' && waveformUrl !== '' ? { wave: { uid, url: waveformUrl } } : {};
}
