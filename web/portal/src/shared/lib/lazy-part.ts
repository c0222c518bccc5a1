/** Components loaded when first shown: dialogs, charts, players. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Wraps a module's named export as a lazy component; render it inside Suspense. */
// biome-ignore lint/suspicious/noExplicitAny: accepts any props; the return type carries the exact ones.
export function lazyPart<Name extends string, Part extends ComponentType<any>>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
): LazyExoticComponent<Part> {
  return lazy(() => load().then((module) => ({ default: module[name] })));
}
