/** Applies an organisation's brand colors to its children. */

import { type BrandColours, brandBackground, brandVariables } from '@vitrine/brand';
import type { CSSProperties, ReactNode } from 'react';
import { useScheme } from '~/shared/lib/scheme.ts';
import { useThemeColour } from '~/shared/lib/theme-colour.ts';

/** Without a theme, the product's colors apply. */
export function BrandScope({ theme, children }: { theme?: BrandColours | undefined; children: ReactNode }) {
  const scheme = useScheme();
  return (
    <div className="brand-scope" style={brandVariables(theme, scheme) as CSSProperties}>
      {children}
    </div>
  );
}

/** A scope for screens with the brand color at the top; also colors the browser's address bar. */
export function BrandedScreen({ theme, children }: { theme: BrandColours; children: ReactNode }) {
  useThemeColour(brandBackground(theme));
  return <BrandScope theme={theme}>{children}</BrandScope>;
}
