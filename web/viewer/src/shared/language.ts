/**
 * The language of the app: chosen by the person, otherwise the browser's. Its texts are one file, and only that file is
 * loaded. `loadLanguage` must have resolved before anything is shown.
 */
import { codeOf, messageOf } from '@vitrine/api';
import { useSyncExternalStore } from 'react';
import type { Texts } from '~/languages/en.ts';
import { storage } from './lib/storage.ts';

/** The languages and their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

/** The code of a language. */
export type Language = keyof typeof languages;

const files: Record<Language, () => Promise<{ texts: Texts }>> = {
  en: () => import('~/languages/en.ts'),
  de: () => import('~/languages/de.ts'),
};

let current: { language: Language; texts: Texts } | null = null;
const listeners = new Set<() => void>();

/** Returns the chosen language, or the first of the browser's that the app speaks, or English. */
export function preferredLanguage(chosen: string | null, browser: readonly string[]): Language {
  const known = (tag: string): tag is Language => Object.hasOwn(languages, tag);
  const wanted = [chosen ?? '', ...browser.map((tag) => tag.slice(0, 2).toLowerCase())];
  return wanted.find(known) ?? 'en';
}

/** Loads the texts and shows them; the screens render again. */
export async function loadLanguage(
  language: Language = preferredLanguage(storage.get('language'), navigator.languages),
): Promise<void> {
  const { texts } = await files[language]();
  current = { language, texts };
  document.documentElement.lang = language === 'en' ? 'en-US' : language;
  for (const listener of listeners) listener();
}

/** Stores and shows another language. */
export async function chooseLanguage(language: Language): Promise<void> {
  storage.set('language', language);
  await loadLanguage(language);
}

function loaded(): { language: Language; texts: Texts } {
  if (current === null) throw new Error('Texts were read before loadLanguage.');
  return current;
}

/** Returns the language that is shown; rerenders when it changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, () => loaded().language);
}

/** Returns the texts of a section. They are looked up when they are read, so read them while rendering. */
export function textsOf<Section extends keyof Texts>(section: Section): Texts[Section] {
  return new Proxy({} as Texts[Section], { get: (_, key) => Reflect.get(loaded().texts[section], key) });
}

/** Returns the message of an error in the language that is shown, or else the server's. */
export function errorText(error: unknown): string {
  return loaded().texts.errors[codeOf(error)] ?? messageOf(error);
}

/** Formats a time as a date, or as date and time of day, in the language that is shown. */
export function dateText(time: string, style: 'date' | 'time' = 'date'): string {
  const format: Intl.DateTimeFormatOptions = { dateStyle: 'medium' };
  if (style === 'time') format.timeStyle = 'short';
  return new Intl.DateTimeFormat(dateLanguage(), format).format(new Date(time));
}

/** Returns the browser's variant of the language that is shown, such as British English, which orders dates differently. */
function dateLanguage(): string {
  const { lang } = document.documentElement;
  return navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === lang.slice(0, 2)) ?? lang;
}

/** Formats a duration in milliseconds, such as "1 hr 5 min" or "42 sec". */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    { count: Math.floor(seconds / 3600), unit: 'hour' },
    { count: Math.floor(seconds / 60) % 60, unit: 'minute' },
    { count: seconds % 60, unit: 'second' },
  ];
  const shown = parts.filter(({ count }) => count > 0);
  return (shown.length > 0 ? shown.slice(0, 2) : parts.slice(-1))
    .map(({ count, unit }) => formatted(count, { style: 'unit', unit, unitDisplay: 'short' }))
    .join(' ');
}

/** Formats a number. */
export function numberText(value: number): string {
  return formatted(value, {});
}

function formatted(value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(document.documentElement.lang, options).format(value);
}

/** Returns the name of a country by its code, or the text itself if there is no such code. */
export function regionText(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([document.documentElement.lang], { type: 'region' }).of(code) ?? code;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
