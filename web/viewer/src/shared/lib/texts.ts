/** Texts several features share. */
import { textsOf } from '../language.ts';

export const SHARED = textsOf('shared');
