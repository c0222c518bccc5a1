/** Player props for an item's processed files. Separate from the player, so that importing it does not load the player. */
import type { PlayerProps } from './player-props.ts';

interface ProcessedFiles {
  hlsUrl: string;
  storyboardUrl: string;
  waveformUrl: string;
  captions: readonly { url: string; language: string; label: string }[];
}

export function processedProps(
  content: ProcessedFiles,
): Required<Pick<PlayerProps, 'stream' | 'storyboard' | 'waveform' | 'captions'>> {
  const { hlsUrl, storyboardUrl, waveformUrl, captions } = content;
  return {
    stream: hlsUrl,
    storyboard: storyboardUrl,
    waveform: waveformUrl,
    captions: captions.map(({ url, language, label }) => ({ src: url, language, label })),
  };
}
