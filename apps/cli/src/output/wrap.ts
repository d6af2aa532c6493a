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
