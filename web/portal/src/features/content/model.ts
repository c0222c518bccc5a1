/** Values and rules of content items: kinds, forms, what a save sends. */

import {
  IconBrandYoutube,
  IconFile,
  IconFileTypePdf,
  IconMusic,
  IconPhoto,
  IconVideo,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ContentIn, type ContentKind, type ContentOut, codeOf, messageOf } from '@vitrine/api';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isVideoAddress, isWebAddress } from '~/shared/lib/urls.ts';
import { contentTexts } from './texts.ts';

/** How each kind is called and drawn. */
export const contentKinds: Readonly<Record<ContentKind, { label: string; icon: TablerIcon }>> = {
  video: { label: contentTexts.kinds.video, icon: IconVideo },
  audio: { label: contentTexts.kinds.audio, icon: IconMusic },
  image: { label: contentTexts.kinds.image, icon: IconPhoto },
  pdf: { label: contentTexts.kinds.pdf, icon: IconFileTypePdf },
  file: { label: contentTexts.kinds.file, icon: IconFile },
  embed: { label: contentTexts.kinds.embed, icon: IconBrandYoutube },
};

/** Suggested lengths; shown, not enforced. */
export const lengths = { title: 100, description: 1000 } as const;

/** Where new content comes from. */
export type SourceType = 'file' | 'url';

/** The form of the details step and of the edit dialog. */
export interface ContentForm {
  title: string;
  description: string;
  previewUrl: string;
  /** 'Hide from public': private when on. */
  hidden: boolean;
  /** The video's address; empty for files. */
  url: string;
}

/** A form to start with. */
export const emptyForm: ContentForm = { title: '', description: '', previewUrl: '', hidden: false, url: '' };

/** The form of stored content; a poster made by the server is no chosen thumbnail. */
export function formOf(content: ContentOut): ContentForm {
  const { title, description, privacy, type, url } = content;
  return {
    title,
    description,
    previewUrl: chosenPreview(content),
    hidden: privacy === 'private',
    url: type === 'integration' ? url : '',
  };
}

/** What creating content sends. */
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

/** The fields of the form that differ from what is stored. */
export function changesOf(form: ContentForm, content: ContentOut): Partial<ContentIn> {
  const before = contentOf(formOf(content), content.type === 'integration' ? 'url' : 'file');
  const after = contentOf(form, content.type === 'integration' ? 'url' : 'file');
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key as keyof ContentIn] !== value));
}

/** Whether a form would show the same of both; what the server makes of a file changes nothing in a form. */
export function sameForm(one: ContentOut, other: ContentOut): boolean {
  return Object.keys(changesOf(formOf(one), other)).length === 0;
}

/** Messages of the fields. */
export const contentRules = {
  title: (title: string) => (title.trim() === '' ? commonTexts.titleRequired : null),
  url: (url: string) => (isVideoAddress(url) ? null : commonTexts.invalidUrl),
};

/** A title to begin with: the file's name without its ending. */
export function titleOfFile(name: string): string {
  return name
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim();
}

/** Whether the server is still busy with the item, so that the screen asks again. */
export function isProcessing({ type, processing }: Pick<ContentOut, 'type' | 'processing'>): boolean {
  return type === 'draft' || processing === 'queued' || processing === 'running';
}

/** A page longer than this may have another one behind it (C-47). */
const LAST_PAGE_LENGTH = 10;

/** Where the next page starts, or nothing after the last one. */
export function nextPage(page: readonly { uid: string }[]): string | undefined {
  return page.length > LAST_PAGE_LENGTH ? page.at(-1)?.uid : undefined;
}

/** Chosen thumbnails lie under /images/; signed posters do not. */
export function chosenPreview({ previewUrl }: ContentOut): string {
  return isWebAddress(previewUrl) && new URL(previewUrl).pathname.startsWith('/images/') ? previewUrl : '';
}

/** What people read when content could not be put into a playlist: trying again does not help a full one. */
export function attachFailure(error: unknown): string {
  return codeOf(error) === 'playlist_full' ? messageOf(error) : contentTexts.attachFailed;
}
