/** Texts of the mini player. */
import { textsOf } from '~/shared/language.ts';

export const WATCH = textsOf('watch');
