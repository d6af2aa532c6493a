/** What was found so far: facts held, and values compared with what they have to be. */
export class Report {
  readonly results = { same: 0, different: 0, held: 0, failed: 0 };

  constructor(readonly say: (line: string) => void) {}

  title(text: string): void {
    this.say(text);
  }

  /** @param seen what was seen, for the reader */
  hold(what: string, holds: boolean, seen = ''): void {
    this.results[holds ? 'held' : 'failed'] += 1;
    this.say(`  ${holds ? 'holds    ' : 'FAILS    '} ${what}${seen === '' ? '' : `: ${seen}`}`);
  }

  compare(what: string, found: unknown, wanted: unknown): void {
    const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
    const isSame = one === other;
    this.results[isSame ? 'same' : 'different'] += 1;
    this.say(`  ${isSame ? 'same     ' : 'DIFFERENT'} ${what}: ${isSame ? one : `${one}, and not ${other}`}`);
  }

  get isGood(): boolean {
    return this.results.different + this.results.failed === 0;
  }
}
