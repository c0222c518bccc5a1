/** Labels of the media controls in other languages; those in English come with the controls. */
import { useEffect, useState } from 'react';
import { playerTexts } from './texts.ts';

const files: Partial<Record<string, () => Promise<unknown>>> = { de: () => import('media-chrome/dist/lang/de.js') };

/** The language of the controls. They read it when they enter the document. */
let shown = 'en';

async function load(language: string): Promise<void> {
  const [{ setLanguage }] = await Promise.all([import('media-chrome/dist/utils/i18n.js'), files[language]?.()]);
  setLanguage(language);
  shown = language;
}

/** Returns whether the controls can be shown in the language of the player; until then, it loads their labels. */
export function useControlTexts(): boolean {
  const { language } = playerTexts;
  const [ready, setReady] = useState(shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the app may hand over another language.
  useEffect(() => {
    let over = false;
    if (shown === language) return;
    const show = () => {
      if (!over) setReady(language);
    };
    // Without the labels of its language, the player works all the same.
    load(language).then(show, show);
    return () => {
      over = true;
    };
  }, [language]);
  return ready === language;
}
