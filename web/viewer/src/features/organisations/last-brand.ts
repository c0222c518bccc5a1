/** The brand of the organisation that was shown last, for pages of signed-out people that name none. */
import type { JoinPageOut } from '@vitrine/api';
import { useEffect } from 'react';
import { peekPath } from '~/shared/lib/next-path.ts';

/** What the pages around sign-in show of an organisation. */
export type ShownOrganisation = Pick<JoinPageOut['organisation'], 'uid' | 'name' | 'logoUrl' | 'theme'>;

const KEY = 'vitrine.viewer.brand';

/** The tab comes first: after signing out, only the tab that showed the organisation still knows it. */
const stores = () => [sessionStorage, localStorage];

/** Remembers the brand of the organisation on screen, in this browser only. */
export function useRememberedBrand(organisation: ShownOrganisation | undefined): void {
  useEffect(() => {
    if (organisation === undefined) return;
    const { uid, name, logoUrl, theme } = organisation;
    const text = JSON.stringify({ uid, name, logoUrl, theme } satisfies ShownOrganisation);
    attempt(() => {
      for (const store of stores()) store.setItem(KEY, text);
    });
  }, [organisation]);
}

/** Returns the remembered organisation, unless the person is on the way to another one. */
export function lastBrand(): ShownOrganisation | undefined {
  return attempt(() => {
    const text = stores().reduce<string | null>((found, store) => found ?? store.getItem(KEY), null);
    const brand: unknown = JSON.parse(text ?? 'null');
    if (!isBrand(brand)) return undefined;
    const wanted = /^\/org\/([^/?#]+)/.exec(peekPath() ?? '')?.[1];
    return wanted === undefined || wanted === brand.uid ? brand : undefined;
  });
}

/** Forgets the brand; after signing out not in this tab, whose pages showed it a moment ago. */
export function forgetBrand(where: 'elsewhere' | 'everywhere'): void {
  attempt(() => localStorage.removeItem(KEY));
  if (where === 'everywhere') attempt(() => sessionStorage.removeItem(KEY));
}

function isBrand(value: unknown): value is ShownOrganisation {
  if (typeof value !== 'object' || value === null) return false;
  const { uid, name, logoUrl, theme } = value as Partial<ShownOrganisation>;
  const texts = [uid, name, logoUrl, theme?.backgroundUrl];
  return texts.every((text) => typeof text === 'string');
}

/** Storage may be forbidden, full, or hold something else; then nothing is known. */
function attempt<Result>(call: () => Result): Result | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
