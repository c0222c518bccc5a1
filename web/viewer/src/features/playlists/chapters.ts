/** Chapters: lines of a description that begin with a time, as in '1:05 Introduction'. */

export interface Chapter {
  atMs: number;
  title: string;
}

const LINE = /^\s*[[(]?((?:\d{1,2}:)?\d{1,2}:\d{2})[\])]?\s*[-–—:|]?\s*(\S.*?)\s*$/;

/**
 * Splits a description into its chapters and the rest of the text. Fewer than two, or times that do not ascend, are no
 * chapters: such a line only mentions a time.
 */
export function chaptersOf(description: string): { chapters: Chapter[]; text: string } {
  const chapters: Chapter[] = [];
  const rest: string[] = [];
  for (const line of description.split('\n')) {
    const [, time, title] = LINE.exec(line) ?? [];
    if (time === undefined || title === undefined) rest.push(line);
    else chapters.push({ atMs: timeOf(time), title });
  }
  const ascending = chapters.every(({ atMs }, index) => index === 0 || atMs > (chapters[index - 1]?.atMs ?? 0));
  if (chapters.length < 2 || !ascending) return { chapters: [], text: description };
  return {
    chapters,
    text: rest
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

function timeOf(text: string): number {
  return text.split(':').reduce((total, part) => total * 60 + Number(part), 0) * 1000;
}
