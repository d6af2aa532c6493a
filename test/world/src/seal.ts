import { hash } from 'node:crypto';

/** The only form in which the world keeps a secret: a salted digest, good for comparing and nothing else. */
export const seal = (salt: string, value: string): string => hash('sha256', `${salt}\u0000${value}`);

export const digest = (text: string): string => hash('md5', text);

const INLINE_SECRET_FLAGS = new Set(['--secret', '--env']);

/** `argv` with the values of `--secret KEY=VALUE` and `--env KEY=VALUE` replaced by digests. */
export function sealArgv(salt: string, argv: readonly string[]): string[] {
  return argv.map((argument, index) => {
    const inline = /^(--secret|--env)=(\w+)=(.*)$/s.exec(argument);
    if (inline) return `${inline[1] ?? ''}=${inline[2] ?? ''}=sealed:${seal(salt, inline[3] ?? '')}`;
    const previous = argv[index - 1];
    const pair = /^(\w+)=(.*)$/s.exec(argument);
    if (previous !== undefined && INLINE_SECRET_FLAGS.has(previous) && pair)
      return `${pair[1] ?? ''}=sealed:${seal(salt, pair[2] ?? '')}`;
    return argument;
  });
}
