/** What an activity was about. */
import { subjectTexts } from './parts/texts.ts';

interface Subject {
  contentId?: string | null | undefined;
  /** Null if it was deleted. */
  contentTitle?: string | null | undefined;
  /** Null if it was deleted. */
  playlistTitle?: string | null | undefined;
}

/** Returns the title of the content item, or of the playlist if there is no item. */
export function subjectTitle({ contentId, contentTitle, playlistTitle }: Subject): string {
  if (typeof contentId === 'string') return contentTitle ?? subjectTexts.deletedContent;
  return playlistTitle ?? subjectTexts.deletedPlaylist;
}
