/** Starts the queries of a screen; the files that know them are loaded with it. */

/** Why a loader runs. */
interface Caused {
  cause: 'preload' | 'enter' | 'stay';
}

/**
 * Starts a screen's queries while its code loads. Only when the route is entered: later changes are queried by the screen.
 * Nothing waits for the responses, and if this fails the screen sends the queries itself.
 */
const starter =
  <All extends { [Name in keyof All]: (args: never) => void }>(load: () => Promise<All>) =>
  <Name extends keyof All>(name: Name) =>
  async (args: Parameters<All[Name]>[0] & Caused): Promise<void> => {
    if ((args as Caused).cause === 'stay') return;
    const start = (loaders: All) => (loaders[name] as (started: typeof args) => void)(args);
    await load().then(start, () => undefined);
  };

/** Starts the queries of screens that most people open. */
export const starts = starter(() => import('./loaders.ts'));
/** Starts those of Settings, audit logs and plans. */
export const startsAccount = starter(() => import('./account-loaders.ts'));
/** Starts those of the reports and of the leads. */
export const startsReport = starter(() => import('./report-loaders.ts'));
