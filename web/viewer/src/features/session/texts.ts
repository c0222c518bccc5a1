/** Texts of signing in. */
import { textsOf } from '~/shared/language.ts';

export const SIGN_IN = textsOf('signIn');
