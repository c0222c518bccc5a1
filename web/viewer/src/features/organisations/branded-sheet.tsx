/** A sheet in the brand of an organisation: its wallpaper and colors around the card, its logo and name above. */
import { brandBackground } from '@vitrine/brand';
import { imageSet } from '@vitrine/brand/image-sizes';
import { Logo } from '@vitrine/brand/logo';
import type { ReactNode } from 'react';
import { useThemeColour } from '~/shared/lib/theme-colour.ts';
import { useSiteName } from '~/shared/lib/title.ts';
import { Sheet } from '~/shared/ui/sheet.tsx';
import { BrandScope } from './brand-scope.tsx';
import classes from './branded-sheet.module.css';
import type { ShownOrganisation } from './last-brand.ts';

interface BrandedSheetProps {
  /** Without an organisation, the sheet has the product's colors. */
  organisation: ShownOrganisation | undefined;
  title: string;
  lead?: string;
  children: ReactNode;
}

/** The same elements with and without an organisation: it may arrive while something is typed. */
export function BrandedSheet({ organisation, children, ...sheet }: BrandedSheetProps) {
  useSiteName(organisation?.name);
  useThemeColour(organisation && brandBackground(organisation.theme));
  const head = organisation && (
    <div className={classes.head}>
      <Logo name={organisation.name} url={organisation.logoUrl} size={48} />
      <span>{organisation.name}</span>
    </div>
  );
  const wallpaper = organisation?.theme.backgroundUrl ?? '';
  const backdrop = wallpaper !== '' && (
    <img className={classes.wallpaper} {...imageSet(wallpaper, 'wallpaper', 'max(100vw, 67vh)')} alt="" />
  );
  return (
    <BrandScope theme={organisation?.theme}>
      <Sheet {...sheet} head={head} branded={organisation !== undefined} backdrop={backdrop}>
        {children}
      </Sheet>
    </BrandScope>
  );
}
