const WIDEST = 100;
/** A narrower terminal breaks the lines itself: what is told beside a margin needs room. */
const NARROWEST = 60;

/** Columns that prose is broken at: those of the terminal, as far as lines of that length are read well; 100 where there is none. */
export const proseWidth = (columns = process.stdout.columns): number =>
  Math.min(WIDEST, Math.max(NARROWEST, columns || WIDEST));

/** Breaks text at spaces so that no line is longer than `width`, but for words that are; later lines are indented by `hanging`. */
export function wrap(text: string, width: number, hanging: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const room = lines.length === 0 ? width : width - hanging;
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one, index) => (index === 0 ? one : `${' '.repeat(hanging)}${one}`));
}
