/** A sheet in the brand of the organisation that the person opened last, for pages outside any organisation. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { storage } from '~/shared/lib/storage.ts';
import { useSignedIn } from '~/shared/session.ts';
import { BrandedSheet } from './branded-sheet.tsx';
import { preferred } from './model.ts';
import { organisationsQuery } from './queries.ts';

/** People who are not signed in, or have joined none, see the product's colors. */
export function OwnSheet(sheet: { title: string; lead?: string; children: ReactNode }) {
  const joined = useQuery({ ...organisationsQuery, enabled: useSignedIn() });
  const organisation = joined.data && preferred(joined.data, storage.get('organisation'));
  return <BrandedSheet {...sheet} organisation={organisation} />;
}
