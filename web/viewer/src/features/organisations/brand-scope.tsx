/** Lends an organisation's colours to everything inside. */
import type { CSSProperties, ReactNode } from 'react';
import { useScheme } from '~/shared/lib/scheme.ts';
import { useThemeColour } from '~/shared/lib/theme-colour.ts';
import { type BrandColours, brandGround, brandVariables } from './brand.ts';

/** Without a theme the product's own colours hold. */
export function BrandScope({ theme, children }: { theme?: BrandColours | undefined; children: ReactNode }) {
  const scheme = useScheme();
  return (
    <div className="brand-scope" style={brandVariables(theme, scheme) as CSSProperties}>
      {children}
    </div>
  );
}

/** A scope for screens that carry the brand's ground at their top: the browser's bar takes it on. */
export function BrandGround({ theme, children }: { theme: BrandColours; children: ReactNode }) {
  useThemeColour(brandGround(theme));
  return <BrandScope theme={theme}>{children}</BrandScope>;
}
