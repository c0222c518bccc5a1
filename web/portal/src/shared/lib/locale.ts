/** The person's languages, for dates, numbers and money. */

/** In order of preference; undefined, which means the browser's own, if one of them is not a language tag. */
export const locale: string[] | undefined = known(navigator.languages);

function known(languages: readonly string[]): string[] | undefined {
  try {
    return Intl.getCanonicalLocales([...languages]);
  } catch {
    // Some browsers report the system's setting as it is, such as `en-US@posix`.
    return undefined;
  }
}
