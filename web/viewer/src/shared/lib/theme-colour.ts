/** The colour of the browser's own bar. */
import { useEffect } from 'react';

/** Lends the colour while the screen is shown. */
export function useThemeColour(colour: string): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
    if (meta === null) return;
    const before = meta.content;
    meta.content = colour;
    return () => {
      meta.content = before;
    };
  }, [colour]);
}
