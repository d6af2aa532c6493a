/** Bodies that are nearly right, or not at all; the same for the same seed. */
export class HostileBodies {
  constructor(private state: number) {}

  next(): Buffer {
    const kind = this.below(10);
    const lines = Array.from({ length: 1 + this.below(40) }, () => (kind === 0 ? this.noise() : this.line()));
    const body = Buffer.from(lines.join(''), 'latin1');
    // Cut anywhere, as a connection may be.
    return this.below(4) === 0 ? body.subarray(0, this.below(body.length + 1)) : body;
  }

  below(limit: number): number {
    // The generator of Tommy Ettinger known as mulberry32.
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % limit;
  }

  private pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }

  private noise(): string {
    return String.fromCharCode(...Array.from({ length: this.below(60) }, () => this.below(256)));
  }

  /** A line that is right, then perhaps changed in one place. */
  private line(): string {
    const line = this.below(12) === 0 ? this.pick(COMMENTS) : this.sample();
    if (this.below(3) > 0) return line;
    const at = this.below(line.length + 1);
    const change = this.below(4) === 0 ? String.fromCharCode(this.below(256)) : this.pick(CHANGES);
    return line.slice(0, at) + change + line.slice(at + this.below(3));
  }

  private sample(): string {
    const blank = (): string => (this.below(12) === 0 ? this.pick([' ', '\t', '  ']) : '');
    const labels = Array.from(
      { length: this.below(5) },
      () => `${blank()}${this.pick(LABELS)}${blank()}=${blank()}"${this.value()}"${blank()}`,
    );
    const braces =
      labels.length > 0 || this.below(4) === 0 ? `{${labels.join()}${this.below(9) === 0 ? ',' : ''}}` : '';
    const tail = this.below(8) === 0 ? this.pick(TAILS) : '';
    return `${blank()}${this.pick(NAMES)}${blank()}${braces}${braces === '' ? ' ' : this.pick([' ', ' ', ''])}${this.number()}${tail}${this.pick(ENDS)}`;
  }

  private value(): string {
    return Array.from({ length: this.below(4) }, () => this.pick(VALUES)).join('');
  }

  private number(): string {
    if (this.below(3) > 0) return this.pick(NUMBERS);
    const digits = (): string => Array.from({ length: this.below(19) }, () => String(this.below(10))).join('');
    return `${this.pick(['', '-', '+'])}${digits()}${this.pick(['', '.'])}${digits()}${this.pick(['', '', `e${this.below(330)}`, `E-${this.below(330)}`])}`;
  }
}

const NAMES = ['up', 'up', 'up1', 'queue:size', 'other', 'other_total', 'vllm:num_requests_running', '_', ':'] as const;
const LABELS = ['engine', 'model_name', 'le', 'pid', 'a', 'b', 'reason'] as const;
const VALUES = [
  '0',
  '1',
  'a',
  'b',
  ' ',
  ',',
  '}',
  '{',
  '=',
  '#',
  '\\\\',
  '\\"',
  '\\n',
  '\u00e5',
  'meta-llama/Llama-3.1-8B-Instruct',
  'x'.repeat(140),
] as const;
const NUMBERS = [
  '0',
  '1',
  '2.0',
  '0.5',
  '1e6',
  '1.5e+010',
  'NaN',
  '+Inf',
  '-inf',
  'Infinity',
  '1e400',
  '0x10',
  '1_000',
  '',
  '.',
  '7.',
  '.5',
] as const;
const TAILS = [
  ' 5',
  ' 6',
  ' -7.5',
  ' 5 6',
  ' x',
  ' # {} 1',
  ' 5 # {a="b"} 2 3',
  ' # {a="b",a="c"} 1',
  ' # {a=} 1',
  ' # x',
  ' 1e5',
  ' NaN',
] as const;
const ENDS = ['\n', '\n', '\n', '\n', '\r\n', ' \n', '\t\n', '\r\r\n'] as const;
const COMMENTS = ['# HELP up x\n', '# TYPE up gauge\n', '#\n', '\n', ' \t\n', '\r\n', ' # EOF\n', '# EOF x\n'] as const;
const CHANGES = [
  '',
  '"',
  '\\',
  '{',
  '}',
  ',',
  '=',
  '#',
  ' ',
  '\n',
  '\r',
  '0',
  'e',
  '.',
  'a',
  '# EOF\n',
  '\u0000',
  '\u00ff',
] as const;
