/** Texts for people who have not joined an organisation, and for consents that outlast access. */
import { textsOf } from '~/shared/language.ts';

export const ORGANISATIONS = textsOf('organisations');
