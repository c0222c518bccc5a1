/** Values and rules of playlists: form, privacy, pins, pages. */
import type { PlaylistIn, PlaylistOut, PlaylistPatch, Privacy } from '@vitrine/api';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isEmail, isWebAddress } from '~/shared/lib/urls.ts';
import { playlistTexts } from './texts.ts';

/** Most playlists an organisation can pin. */
export const MAX_PINNED = 4;

/** Orders of the list; newest first is the default. */
export const sorts = [
  { value: 'new', label: playlistTexts.sorts.new },
  { value: 'title', label: playlistTexts.sorts.title },
  { value: 'watched', label: playlistTexts.sorts.watched },
] as const;

/** One of the orders. */
export type Sort = (typeof sorts)[number]['value'];

/** The form of the wizard and of the edit dialog. */
export interface PlaylistForm {
  title: string;
  description: string;
  email: string;
  phoneNumber: string;
  previewUrl: string;
  /** The public toggle of the edit dialog; 'hide from public' of the wizard is its opposite. */
  isPublic: boolean;
}

/** A form to start with. */
export const emptyForm: PlaylistForm = {
  title: '',
  description: '',
  email: '',
  phoneNumber: '',
  previewUrl: '',
  isPublic: true,
};

/** Messages of the form. */
export const playlistRules = {
  title: (title: string) => (title.trim() === '' ? commonTexts.titleRequired : null),
  email: (email: string) => (email.trim() === '' || isEmail(email) ? null : commonTexts.invalidEmail),
  previewUrl: (url: string) => (url === '' || isWebAddress(url) ? null : commonTexts.invalidUrl),
};

/** The form of a stored playlist. */
export function formOf(playlist: PlaylistOut): PlaylistForm {
  const { title, description, contact, previewUrl, privacy } = playlist;
  const { email, phoneNumber } = contact;
  return { title, description, email, phoneNumber, previewUrl, isPublic: privacy === 'public' };
}

/** Whether the edit dialog would show the same of both. */
export function sameForm(one: PlaylistOut, other: PlaylistOut): boolean {
  return one.privacy === other.privacy && JSON.stringify(formOf(one)) === JSON.stringify(formOf(other));
}

/** What creating sends: public or private; the phone loses its first space (G-96). */
export function playlistOf(form: PlaylistForm): PlaylistIn {
  return {
    title: form.title.trim(),
    description: form.description,
    previewUrl: form.previewUrl,
    privacy: form.isPublic ? 'public' : 'private',
    contact: { email: form.email.trim(), phoneNumber: form.phoneNumber.replace(' ', '') },
    items: [],
  };
}

/** What editing sends; the privacy only if the toggle was moved: on is public, off is unlisted (C-51). */
export function changesOf(form: PlaylistForm, playlist: PlaylistOut): PlaylistPatch {
  const moved = form.isPublic !== (playlist.privacy === 'public');
  const privacy: Privacy = form.isPublic ? 'public' : 'unlisted';
  return {
    title: form.title.trim(),
    description: form.description,
    contact: { email: form.email.trim(), phoneNumber: form.phoneNumber },
    ...(form.previewUrl === playlist.previewUrl ? {} : { previewUrl: form.previewUrl }),
    ...(moved ? { privacy } : {}),
  };
}

/** What a click on the pin does. */
export type PinChange = 'pin' | 'unpin' | 'full' | 'notPublic';

/** Unpinning is always allowed; pinning needs a public playlist and a free place. */
export function pinChange(pinned: readonly string[], playlist: Pick<PlaylistOut, 'uid' | 'privacy'>): PinChange {
  if (pinned.includes(playlist.uid)) return 'unpin';
  if (playlist.privacy !== 'public') return 'notPublic';
  return pinned.length >= MAX_PINNED ? 'full' : 'pin';
}

/** A list in the wanted order: what went away meanwhile is left out, what came stands at the end. */
export function inOrder(list: readonly string[], wanted: readonly string[]): string[] {
  return [...wanted.filter((uid) => list.includes(uid)), ...list.filter((uid) => !wanted.includes(uid))];
}

/** The words of a privacy badge. */
export const privacyLabels: Readonly<Record<Privacy, string>> = {
  public: commonTexts.public,
  unlisted: commonTexts.unlisted,
  private: commonTexts.private,
};
