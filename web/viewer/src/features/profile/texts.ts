/** Texts of the details form. */
import { textsOf } from '~/shared/language.ts';

export const DETAILS = textsOf('details');
