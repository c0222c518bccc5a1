/** The color of the browser's address bar. */
import { useEffect } from 'react';

/** Sets the color while the screen is mounted. */
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
