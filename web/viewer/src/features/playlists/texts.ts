/** Texts of Home and of a playlist. */
import { textsOf } from '~/shared/language.ts';

export const PLAYLISTS = textsOf('playlists');
