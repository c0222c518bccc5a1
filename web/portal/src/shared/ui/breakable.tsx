/** Email addresses that do not fit one line. */
import { Fragment } from 'react';

/** Shows a text; an email address wraps at its parts instead of in the middle of a word. */
export function Breakable({ text }: { text: string }) {
  if (!text.includes('@')) return text;
  return text.split(/(?<=[@.])/).map((part, place) => (
    // The parts stay as they are.
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    <Fragment key={place}>
      {place === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}
