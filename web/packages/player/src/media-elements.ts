/** The media-chrome elements in use, imported one by one: the full set would be a third larger. */
import 'media-chrome/dist/media-controller.js';
import 'media-chrome/dist/media-airplay-button.js';
import 'media-chrome/dist/media-captions-button.js';
import 'media-chrome/dist/media-control-bar.js';
import 'media-chrome/dist/media-fullscreen-button.js';
import 'media-chrome/dist/media-loading-indicator.js';
import 'media-chrome/dist/media-mute-button.js';
import 'media-chrome/dist/media-pip-button.js';
import 'media-chrome/dist/media-play-button.js';
import 'media-chrome/dist/media-playback-rate-button.js';
import 'media-chrome/dist/media-seek-backward-button.js';
import 'media-chrome/dist/media-seek-forward-button.js';
import 'media-chrome/dist/media-time-display.js';
import 'media-chrome/dist/media-time-range.js';
import 'media-chrome/dist/media-volume-range.js';
import 'media-chrome/dist/menu/media-captions-menu.js';
import 'media-chrome/dist/menu/media-captions-menu-button.js';
import 'media-chrome/dist/menu/media-chrome-menu-item.js';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';

type MediaElement = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'media-controller': MediaElement & { audio?: boolean; hotkeys?: string };
      'media-airplay-button': MediaElement;
      'media-captions-button': MediaElement;
      'media-captions-menu': MediaElement & { anchor?: string };
      'media-captions-menu-button': MediaElement;
      'media-control-bar': MediaElement;
      'media-fullscreen-button': MediaElement;
      'media-loading-indicator': MediaElement & { noautohide?: boolean };
      'media-mute-button': MediaElement;
      'media-pip-button': MediaElement;
      'media-play-button': MediaElement;
      'media-playback-rate-button': MediaElement & { rates?: string };
      'media-seek-backward-button': MediaElement & { seekoffset?: string };
      'media-seek-forward-button': MediaElement & { seekoffset?: string };
      'media-time-display': MediaElement & { showduration?: boolean };
      'media-time-range': MediaElement;
      'media-volume-range': MediaElement;
    }
  }
}
