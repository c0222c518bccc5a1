/** A sheet in the brand of the organisation that was opened last, for pages outside any organisation. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { storage } from '~/shared/lib/storage.ts';
import { useSignedIn } from '~/shared/session.ts';
import { BrandedSheet } from './branded-sheet.tsx';
import { lastBrand } from './last-brand.ts';
import { preferred } from './model.ts';
import { organisationsQuery } from './queries.ts';

/** People who have joined none, and browsers that have shown none, see the product's colors. */
export function OwnSheet(sheet: { title: string; lead?: string; children: ReactNode }) {
  const signedIn = useSignedIn();
  const joined = useQuery({ ...organisationsQuery, enabled: signedIn });
  const own = joined.data && preferred(joined.data, storage.get('organisation'));
  const organisation = signedIn ? own : lastBrand();
  return <BrandedSheet {...sheet} organisation={organisation} />;
}
