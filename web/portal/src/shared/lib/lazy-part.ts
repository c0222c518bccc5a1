/** Parts that are loaded when they are first shown: dialogs, charts, players. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The named export of a module as a lazy component; stands inside a Suspense. */
// biome-ignore lint/suspicious/noExplicitAny: props of any component; the answer carries the exact ones.
export function lazyPart<Name extends string, Part extends ComponentType<any>>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
): LazyExoticComponent<Part> {
  return lazy(() => load().then((module) => ({ default: module[name] })));
}
