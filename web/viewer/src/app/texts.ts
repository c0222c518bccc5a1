/** Texts of the frame around the screens. */
import { textsOf } from '~/shared/language.ts';

export const SHELL = textsOf('shell');
