/** The brand of the organisation that was shown last, for pages of signed-out people that name none. */
import type { JoinPageOut } from '@vitrine/api';
import { useEffect } from 'react';
import { peekPath } from '~/shared/lib/next-path.ts';
import { session } from '~/shared/session.ts';

/** What is stored: the brand, and for whom it was shown; null if the person was not signed in. */
type Remembered = ShownOrganisation & { person: string | null };

/** What the pages around sign-in show of an organisation. */
export type ShownOrganisation = Pick<JoinPageOut['organisation'], 'uid' | 'name' | 'logoUrl' | 'theme'>;

const KEY = 'vitrine.viewer.brand';

/** The tab comes first: after signing out, only the tab that showed the organisation still knows it. */
const stores = () => [sessionStorage, localStorage];

// Forgotten in another tab: by signing out, leaving or erasing the account.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY && newValue === null) attempt(() => sessionStorage.removeItem(KEY));
});

/** Remembers the brand of the organisation on screen, in this browser only. */
export function useRememberedBrand(organisation: ShownOrganisation | undefined): void {
  useEffect(() => {
    if (organisation === undefined) return;
    const { uid, name, logoUrl, theme } = organisation;
    const text = JSON.stringify({ uid, name, logoUrl, theme, person: session.person() } satisfies Remembered);
    attempt(() => {
      for (const store of stores()) store.setItem(KEY, text);
    });
  }, [organisation]);
}

/** Returns the remembered organisation, unless another person is signed in, or on the way to another one. */
export function lastBrand(): ShownOrganisation | undefined {
  const brand = read();
  if (brand === undefined || isOfAnother(brand)) return undefined;
  const wanted = /^\/org\/([^/?#]+)/.exec(peekPath() ?? '')?.[1];
  return wanted === undefined || wanted === brand.uid ? brand : undefined;
}

function read(): Remembered | undefined {
  return attempt(() => {
    const text = stores().reduce<string | null>((found, store) => found ?? store.getItem(KEY), null);
    const brand: unknown = JSON.parse(text ?? 'null');
    return isBrand(brand) ? brand : undefined;
  });
}

/** Forgets the brand; after signing out not in this tab, whose pages showed it a moment ago. */
export function forgetBrand(where: 'elsewhere' | 'everywhere'): void {
  attempt(() => localStorage.removeItem(KEY));
  if (where === 'everywhere') attempt(() => sessionStorage.removeItem(KEY));
}

/** Forgets the brand of an organisation that was left. */
export function forgetBrandOf(uid: string): void {
  if (read()?.uid === uid) forgetBrand('everywhere');
}

/** Forgets the brand that was shown to another person. */
export function forgetOthersBrand(): void {
  const brand = read();
  if (brand !== undefined && isOfAnother(brand)) forgetBrand('everywhere');
}

function isOfAnother({ person }: Remembered): boolean {
  const signedIn = session.person();
  return signedIn !== null && signedIn !== person;
}

function isBrand(value: unknown): value is Remembered {
  if (typeof value !== 'object' || value === null) return false;
  const { uid, name, logoUrl, theme, person } = value as Partial<Remembered>;
  const texts = [uid, name, logoUrl, theme?.backgroundUrl];
  return texts.every((text) => typeof text === 'string') && (person === null || typeof person === 'string');
}

/** Storage may be forbidden, full, or hold something else; then nothing is known. */
function attempt<Result>(call: () => Result): Result | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
