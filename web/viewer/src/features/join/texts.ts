/** Texts of joining. */
import { textsOf } from '~/shared/language.ts';

export const JOIN = textsOf('join');
