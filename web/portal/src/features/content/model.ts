/** Content items: kinds, forms and validation. */

import {
  IconBrandYoutube,
  IconFile,
  IconFileTypePdf,
  IconMusic,
  IconPhoto,
  IconVideo,
  type TablerIcon,
} from '@tabler/icons-react';
import {
  type ContentChanges,
  type ContentIn,
  type ContentKind,
  type ContentOut,
  codeOf,
  messageOf,
} from '@vitrine/api';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isVideoAddress, isWebAddress } from '~/shared/lib/urls.ts';
import { type ScheduleForm, scheduleChanges, scheduleOf } from './schedule.ts';
import { contentTexts } from './texts.ts';

/** Label and icon of each kind. */
export const contentKinds: Readonly<Record<ContentKind, { label: string; icon: TablerIcon }>> = {
  video: { label: commonTexts.kinds.video, icon: IconVideo },
  audio: { label: commonTexts.kinds.audio, icon: IconMusic },
  image: { label: commonTexts.kinds.image, icon: IconPhoto },
  pdf: { label: commonTexts.kinds.pdf, icon: IconFileTypePdf },
  file: { label: commonTexts.kinds.file, icon: IconFile },
  embed: { label: commonTexts.kinds.embed, icon: IconBrandYoutube },
};

/** Suggested maximum lengths; shown but not enforced. */
export const lengths = { title: 100, description: 1000 } as const;

/** The source of new content. */
export type SourceType = 'file' | 'url';

/** Values of the details step and of the edit dialog. */
export interface ContentForm {
  title: string;
  description: string;
  previewUrl: string;
  /** 'Hide from public': makes the item private. */
  hidden: boolean;
  /** The video's URL; empty for files. */
  url: string;
}

/** Values of the edit dialog, which also has dates. */
export type ContentEditForm = ContentForm & ScheduleForm & { downloadable: boolean };

/** Initial form values. */
export const emptyForm: ContentForm = { title: '', description: '', previewUrl: '', hidden: false, url: '' };

/** Returns the form values of an item; a generated poster does not count as a chosen thumbnail. */
export function formOf(content: ContentOut): ContentEditForm {
  const { title, description, privacy, type, url } = content;
  return {
    title,
    description,
    previewUrl: chosenPreview(content),
    hidden: privacy === 'private',
    url: type === 'integration' ? url : '',
    downloadable: content.downloadable,
    ...scheduleOf(content),
  };
}

/** Builds the request to create an item. */
export function contentOf(form: ContentForm, source: SourceType): ContentIn {
  const { title, description, previewUrl, hidden, url } = form;
  return {
    title: title.trim(),
    description,
    previewUrl,
    privacy: hidden ? 'private' : 'public',
    ...(source === 'url' ? { url: url.trim() } : {}),
  };
}

/** Returns the form fields that differ from the stored item. */
export function changesOf(form: ContentEditForm, content: ContentOut): ContentChanges {
  const before = contentOf(formOf(content), content.type === 'integration' ? 'url' : 'file');
  const after = contentOf(form, content.type === 'integration' ? 'url' : 'file');
  const changed = Object.entries(after).filter(([key, value]) => before[key as keyof ContentIn] !== value);
  return {
    ...Object.fromEntries(changed),
    ...scheduleChanges(form, content),
    ...(form.downloadable === content.downloadable ? {} : { downloadable: form.downloadable }),
  };
}

/** Returns whether the form would show the same values for both; processing results do not count. */
export function sameForm(one: ContentOut, other: ContentOut): boolean {
  return Object.keys(changesOf(formOf(one), other)).length === 0;
}

/** Validation of the fields. */
export const contentRules = {
  title: (title: string) => (title.trim() === '' ? commonTexts.titleRequired : null),
  url: (url: string) => (isVideoAddress(url) ? null : commonTexts.invalidUrl),
};

/** Suggests a title: the file's name without its extension, with a capital unless its first word has one. */
export function titleOfFile(name: string): string {
  const words = name
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim();
  return words.replace(/^\p{Ll}(?![^ ]*\p{Lu})/u, (first) => first.toUpperCase());
}

/** Guesses the kind of a file that is not uploaded yet; the server decides by its bytes. */
export function kindOfFile({ type }: Pick<File, 'type'>): ContentKind {
  if (type === 'application/pdf') return 'pdf';
  const [group] = type.split('/');
  return group === 'video' || group === 'audio' || group === 'image' ? group : 'file';
}

/** Returns whether the server is still processing the item. */
export function isProcessing({ type, processing }: Pick<ContentOut, 'type' | 'processing'>): boolean {
  return type === 'draft' || processing === 'queued' || processing === 'running';
}

/** How long after an edit the poster of an embedded video is expected. */
const POSTER_WITHIN_MS = 15_000;

/** Returns whether the server may be fetching the poster of an embedded video: it was added or changed a moment ago. */
export function awaitsPoster({ type, previewUrl, timeModified }: ContentOut, now: number): boolean {
  // The clock of this machine may be wrong either way.
  return type === 'integration' && previewUrl === '' && Math.abs(now - Date.parse(timeModified)) < POSTER_WITHIN_MS;
}

/** A longer page may be followed by another. */
const LAST_PAGE_LENGTH = 10;

/** Returns the cursor of the next page, or undefined after the last one. */
export function nextPage(page: readonly { uid: string }[]): string | undefined {
  return page.length > LAST_PAGE_LENGTH ? page.at(-1)?.uid : undefined;
}

/** Returns the chosen thumbnail, if any. Those are under /images/; generated posters are not. */
export function chosenPreview({ previewUrl }: ContentOut): string {
  return isWebAddress(previewUrl) && new URL(previewUrl).pathname.startsWith('/images/') ? previewUrl : '';
}

/** Returns the message for a failed addition to a playlist; retrying does not help if the playlist is full. */
export function attachFailure(error: unknown): string {
  return codeOf(error) === 'playlist_full' ? messageOf(error) : contentTexts.attachFailed;
}
