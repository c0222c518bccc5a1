/** Finding words in the text of a page. Pure functions. */

/** The text of a page, in the order of its text layer. A line break separates lines; the text layer has none. */
export type PageText = string;

/** A place where the words are: positions in the text layer of a page, the last one excluded. */
export interface Match {
  page: number;
  from: number;
  to: number;
}

/** Letters with marks that have a plain letter inside. */
const MARKED = /[\u00c0-\u024f\u1e00-\u1eff]/;

/** Returns the text without case and marks, each character in its place. */
export function fold(text: string): string {
  let folded = '';
  // By UTF-16 units: every position must stay.
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charAt(index);
    const plain = MARKED.test(unit) ? unit.normalize('NFD').charAt(0) : unit;
    const lower = plain.toLowerCase();
    folded += lower.length === 1 ? lower : plain;
  }
  return folded;
}

/** Returns every place of the words on the page, at most `limit`. Any white space counts as one space. */
export function matchesIn(text: PageText, words: string, page: number, limit: number): Match[] {
  const wanted = fold(words.trim());
  if (wanted === '') return [];
  const pattern = new RegExp(wanted.split(/\s+/).map(escaped).join('\\s+'), 'g');
  const found: Match[] = [];
  let breaks = 0;
  let counted = 0;
  const inLayer = (at: number) => {
    for (; counted < at; counted += 1) if (text.charAt(counted) === '\n') breaks += 1;
    return at - breaks;
  };
  for (const { index, 0: hit } of fold(text).matchAll(pattern)) {
    if (found.length === limit) break;
    found.push({ page, from: inLayer(index), to: inLayer(index + hit.length) });
  }
  return found;
}

/** Returns the pages in the order of a search that begins at one of them. */
export function pagesFrom(start: number, pages: number): number[] {
  return Array.from({ length: pages }, (_, index) => ((start - 1 + index) % pages) + 1);
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
