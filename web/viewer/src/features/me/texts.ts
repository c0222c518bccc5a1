/** Texts of Me. */
import { textsOf } from '~/shared/language.ts';

export const ME = textsOf('me');
