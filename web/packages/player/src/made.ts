/** What the server made of a file, as the props that play it; apart from the player, so that it costs nothing. */
import type { PlayerProps } from './player-props.ts';

interface Made {
  hlsUrl: string;
  storyboardUrl: string;
  waveformUrl: string;
  captions: readonly { url: string; language: string; label: string }[];
}

export function madeOf(content: Made): Required<Pick<PlayerProps, 'stream' | 'storyboard' | 'waveform' | 'captions'>> {
  const { hlsUrl, storyboardUrl, waveformUrl, captions } = content;
  return {
    stream: hlsUrl,
    storyboard: storyboardUrl,
    waveform: waveformUrl,
    captions: captions.map(({ url, language, label }) => ({ src: url, language, label })),
  };
}
