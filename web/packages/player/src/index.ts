/** Public API of the package: `<Player>`, its beat tracker, and the outbox that sends beats. */
export { BEAT_EVERY_MS, type BeatSink, BeatTracker, type BeatTrackerOptions } from './beat-tracker.ts';
export { downloadAddress } from './download-address.ts';
export { type EmbeddedVideo, parseEmbed, safeLink } from './embed.ts';
export {
  EventOutbox,
  type EventOutboxOptions,
  LATEST_MS,
  oneTabAtATime,
  type SendEvents,
  type SendOutcome,
} from './event-outbox.ts';
export { createEventStore, type EventStore, type StoredEvent } from './event-store.ts';
export type { Beat, BeatState, Interaction, ViewerEvent } from './events.ts';
export { formatBytes } from './format-bytes.ts';
export { uuidv7 } from './ids.ts';
export { Player } from './player.tsx';
export type {
  CaptionTrack,
  ContentKind,
  PlaybackPosition,
  PlayerControls,
  PlayerProps,
  PlayerSession,
} from './player-props.ts';
export { processedProps } from './processed-props.ts';
export { type PlayerTexts, takePlayerTexts } from './texts.ts';
