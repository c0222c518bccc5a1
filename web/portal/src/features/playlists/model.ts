/** Playlists: form, privacy and pins. */
import type { ContentOut, PlaylistIn, PlaylistOut, Privacy } from '@vitrine/api';
import { closedBecause, type ScheduleForm, scheduleChanges, scheduleOf } from '~/features/content/schedule.ts';
import { session } from '~/shared/api/session.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isEmail, isWebAddress } from '~/shared/lib/urls.ts';
import { playlistTexts } from './texts.ts';

/** Maximum number of pinned playlists. */
export const MAX_PINNED = 4;

/** Sort orders; newest first is the default. */
export const sorts = [
  { value: 'new', label: playlistTexts.sorts.new },
  { value: 'title', label: playlistTexts.sorts.title },
  { value: 'watched', label: playlistTexts.sorts.watched },
] as const;

/** A sort order. */
export type Sort = (typeof sorts)[number]['value'];

/** Values of the wizard and of the edit dialog. */
export interface PlaylistForm {
  title: string;
  description: string;
  email: string;
  phoneNumber: string;
  previewUrl: string;
  /** The edit dialog's public toggle; the inverse of the wizard's 'Hide from public'. */
  isPublic: boolean;
}

/** Values of the edit dialog, which also has dates. */
export type PlaylistEditForm = PlaylistForm & ScheduleForm;

/** Initial form values. */
export const emptyForm: PlaylistForm = {
  title: '',
  description: '',
  email: '',
  phoneNumber: '',
  previewUrl: '',
  isPublic: true,
};

/** Validation of the form. */
export const playlistRules = {
  title: (title: string) => (title.trim() === '' ? commonTexts.titleRequired : null),
  email: (email: string) => (email.trim() === '' || isEmail(email) ? null : commonTexts.invalidEmail),
  previewUrl: (url: string) => (url === '' || isWebAddress(url) ? null : commonTexts.invalidUrl),
};

/** Returns the form values of a playlist. */
export function formOf(playlist: PlaylistOut): PlaylistEditForm {
  const { title, description, contact, previewUrl, privacy } = playlist;
  const { email, phoneNumber } = contact;
  return {
    title,
    description,
    email,
    phoneNumber,
    previewUrl,
    isPublic: privacy === 'public',
    ...scheduleOf(playlist),
  };
}

/** Returns whether the edit dialog would show the same values for both. */
export function sameForm(one: PlaylistOut, other: PlaylistOut): boolean {
  return one.privacy === other.privacy && JSON.stringify(formOf(one)) === JSON.stringify(formOf(other));
}

/** Builds the request to create a playlist. The first space of the phone number is removed. */
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

/** Builds the patch. Sends privacy only if the toggle was moved, so that a private playlist does not become unlisted. */
export function changesOf(form: PlaylistEditForm, playlist: PlaylistOut): PlaylistIn {
  const moved = form.isPublic !== (playlist.privacy === 'public');
  const privacy: Privacy = form.isPublic ? 'public' : 'unlisted';
  return {
    title: form.title.trim(),
    description: form.description,
    contact: { email: form.email.trim(), phoneNumber: form.phoneNumber },
    ...(form.previewUrl === playlist.previewUrl ? {} : { previewUrl: form.previewUrl }),
    ...(moved ? { privacy } : {}),
    ...scheduleChanges(form, playlist),
  };
}

/** What clicking the pin does. */
export type PinChange = 'pin' | 'unpin' | 'full' | 'notPublic';

/** Unpinning is always allowed; pinning requires a public playlist and a free slot. */
export function pinChange(pinned: readonly string[], playlist: Pick<PlaylistOut, 'uid' | 'privacy'>): PinChange {
  if (pinned.includes(playlist.uid)) return 'unpin';
  if (playlist.privacy !== 'public') return 'notPublic';
  return pinned.length >= MAX_PINNED ? 'full' : 'pin';
}

/** Sorts a list into the wanted order: removed entries are skipped, new ones go to the end. */
export function inOrder(list: readonly string[], wanted: readonly string[]): string[] {
  return [...wanted.filter((uid) => list.includes(uid)), ...list.filter((uid) => !wanted.includes(uid))];
}

/** Labels of the privacy badge. */
export const privacyLabels: Readonly<Record<Privacy, string>> = {
  public: commonTexts.public,
  unlisted: commonTexts.unlisted,
  private: commonTexts.private,
};

/** Who can open a playlist or an item of it in the app. */
export type Audience = keyof typeof playlistTexts.audiences;

/** Returns who can open the playlist, or the item from it. */
export function audienceOf(playlist: PlaylistOut, item?: ContentOut): Audience {
  const { privacy } = playlist;
  if (privacy === 'private') return 'staff';
  if (item?.type === 'draft') return 'unfinished';
  if (item !== undefined && item.privacy !== 'public') return 'hidden';
  const closed = [playlist, item ?? {}].some((dated) => closedBecause(dated, session.now()) !== null);
  if (closed) return 'closed';
  if (item !== undefined) return 'joined';
  return privacy === 'public' ? 'listed' : 'unlisted';
}

/** Returns the address of the playlist, or of the item in it, in the app that people watch in. */
export function appLink({ orgId, uid }: PlaylistOut, item?: ContentOut): string {
  const link = new URL(`/app/org/${orgId}/playlists/${uid}`, window.location.origin);
  if (item !== undefined) link.searchParams.set('item', item.uid);
  return link.href;
}
