/** A sheet in the brand of an organisation: its wallpaper and colors around the card, its logo and name above. */
import type { JoinPageOut } from '@vitrine/api';
import { brandBackground } from '@vitrine/brand';
import { imageSet } from '@vitrine/brand/image-sizes';
import { Logo } from '@vitrine/brand/logo';
import type { ReactNode } from 'react';
import { useThemeColour } from '~/shared/lib/theme-colour.ts';
import { Sheet } from '~/shared/ui/sheet.tsx';
import { BrandScope } from './brand-scope.tsx';
import classes from './branded-sheet.module.css';

interface BrandedSheetProps {
  /** Without an organisation, the sheet has the product's colors. */
  organisation: Pick<JoinPageOut['organisation'], 'name' | 'logoUrl' | 'theme'> | undefined;
  title: string;
  lead?: string;
  children: ReactNode;
}

/** The same elements with and without an organisation: it may arrive while something is typed. */
export function BrandedSheet({ organisation, children, ...sheet }: BrandedSheetProps) {
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
