/** The color of the browser's address bar. */
import { useEffect } from 'react';

/** Sets the color while the screen is mounted; without one, leaves it as it is. */
export function useThemeColour(colour: string | undefined): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
    if (meta === null || colour === undefined) return;
    const before = meta.content;
    meta.content = colour;
    return () => {
      meta.content = before;
    };
  }, [colour]);
}
