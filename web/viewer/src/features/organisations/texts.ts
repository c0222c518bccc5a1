/** Texts for people who have not joined an organisation, for leaving one, and for what outlasts access. */
import { textsOf } from '~/shared/language.ts';

export const ORGANISATIONS = textsOf('organisations');
