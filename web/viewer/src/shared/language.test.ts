import { ApiProblem } from '@vitrine/api';
import { describe, expect, it, vi } from 'vitest';
import { texts as de } from '~/languages/de.ts';
import { texts as en } from '~/languages/en.ts';
import { dateText, errorText, loadLanguage, preferredLanguage } from './language.ts';

/** All texts of a language by path; functions are called with the same values, for one thing and for several. */
function flat(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'function') return [[path, `${value(2, 'B')} | ${value(1, 'B')}`]];
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => flat(inner, `${path}.${key}`));
}

describe('languages', () => {
  it('follow the choice, then the browser, then English', () => {
    expect(preferredLanguage('de', ['en-US'])).toBe('de');
    expect(preferredLanguage(null, ['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(preferredLanguage('fr', ['pt'])).toBe('en');
    expect(preferredLanguage(null, [])).toBe('en');
    expect(preferredLanguage('constructor', [])).toBe('en');
  });

  it('tell faults of the server', async () => {
    await loadLanguage('de');
    for (const code of ['internal', 'unavailable', 'busy', 'unknown', 'network']) {
      expect(errorText(new ApiProblem(500, 'Something went wrong.', code)), code).not.toBe('Something went wrong.');
    }
  });

  it('write dates as the browser’s region does', async () => {
    const languages = vi.spyOn(navigator, 'languages', 'get');
    const written = (...browser: string[]) => {
      languages.mockReturnValue(browser);
      return dateText('2026-11-26T10:00:00.000Z');
    };
    expect(written('en-GB', 'de')).toBe('26 Nov 2026');
    expect(written('en-US')).toBe('Nov 26, 2026');
    expect(written('fr'), 'a language that the app does not speak').toBe('Nov 26, 2026');
    await loadLanguage('de');
    expect(written('en-GB', 'de-AT')).toBe('26.11.2026');
    languages.mockRestore();
  });

  it('have the same texts, each translated', () => {
    // English has no labels and no translations of what is English on the server.
    const own = ({ errors: _, options: __, notice, me, ...others }: typeof en) =>
      flat({ ...others, notice: { ...notice, translations: {} }, me: { ...me, dataLabels: {} } });
    const paths = (language: typeof en) => own(language).map(([path]) => path);
    expect(paths(de).sort()).toEqual(paths(en).sort());
    const english = new Map(own(en));
    const same = own(de).filter(([path, text]) => english.get(path) === text);
    // Names and words that are the same in both languages.
    expect(same.map(([path]) => path)).toEqual([
      '.shell.secondsLeft',
      '.playlists.foundPlaylists',
      '.playlists.link',
      '.playlists.kinds.video',
      '.playlists.kinds.audio',
      '.playlists.kinds.pdf',
      '.player.hosts.youtube',
      '.player.hosts.vimeo',
      '.player.height',
      '.player.jumpedBack',
      '.player.jumpedForward',
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((step) => `.player.sizeUnits.${step}`),
      '.player.pdf.zoom',
      '.me.schemes.system',
      '.me.apps.portal',
      '.me.apps.viewer',
      '.me.dataValues.app.portal',
      '.me.dataValues.app.viewer',
      '.me.dataValues.providers.google',
      '.me.dataValues.providers.apple',
      '.me.dataValues.role.manager',
      '.me.dataValues.temperature.warm',
    ]);
  });
});
