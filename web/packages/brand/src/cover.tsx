/** The generated cover of a playlist without images. */
import { coverOf } from '@vitrine/tokens/cover';

/** Fills its frame. Decorative: the title is next to it. */
export function Cover({ uid, title }: { uid: string; title: string }) {
  const { hue, figure, letters } = coverOf(uid, title);
  return (
    <span className="vt-cover" data-hue={hue} data-figure={figure} aria-hidden>
      <span>{letters}</span>
    </span>
  );
}
