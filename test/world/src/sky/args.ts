import { UsageError } from './text.js';

type Shape = 'flag' | 'value';
interface Option {
  readonly name: string;
  readonly shape: Shape;
  readonly short?: string;
}

const flag = (name: string, short?: string): Option => ({ name, shape: 'flag', ...(short ? { short } : {}) });
const value = (name: string, short?: string): Option => ({ name, shape: 'value', ...(short ? { short } : {}) });

const CONFIG = value('--config');
const OUTPUT = value('--output', '-o');
const YES = flag('--yes', '-y');
const FOLLOW = [flag('--follow'), flag('--no-follow')];

/** The options of every command the world understands. */
const COMMANDS: Readonly<Record<string, readonly Option[]>> = {
  launch: [
    CONFIG,
    YES,
    value('--cluster', '-c'),
    value('--name', '-n'),
    flag('--async'),
    flag('--no-async'),
    flag('--detach-run', '-d'),
    flag('--dryrun'),
    flag('--retry-until-up', '-r'),
    flag('--no-setup'),
    flag('--fast'),
    flag('--down'),
    flag('--use-spot'),
    flag('--no-use-spot'),
    value('--idle-minutes-to-autostop', '-i'),
    value('--wait-for'),
    value('--env'),
    value('--env-file'),
    value('--secret'),
    value('--secret-file'),
    value('--infra'),
    value('--gpus'),
    value('--instance-type', '-t'),
    value('--cpus'),
    value('--memory'),
    value('--disk-size'),
    value('--disk-tier'),
    value('--network-tier'),
    value('--local-disk'),
    value('--num-nodes'),
    value('--image-id'),
    value('--ports'),
    value('--workdir'),
  ],
  status: [
    CONFIG,
    OUTPUT,
    flag('--verbose', '-v'),
    flag('--refresh', '-r'),
    flag('--ip'),
    flag('--endpoints'),
    value('--endpoint'),
    flag('--all-users', '-u'),
    flag('--show-managed-jobs'),
    flag('--no-show-managed-jobs'),
    flag('--show-services'),
    flag('--no-show-services'),
    flag('--show-pools'),
    flag('--no-show-pools'),
  ],
  queue: [CONFIG, OUTPUT, flag('--skip-finished', '-s'), flag('--all-users', '-u')],
  logs: [
    CONFIG,
    ...FOLLOW,
    value('--tail'),
    flag('--status'),
    flag('--sync-down', '-s'),
    flag('--provision'),
    value('--worker', '-w'),
    flag('--autostop'),
  ],
  down: [
    CONFIG,
    YES,
    flag('--all', '-a'),
    flag('--all-users', '-u'),
    flag('--purge', '-p'),
    flag('--graceful'),
    value('--graceful-timeout'),
    flag('--async'),
    flag('--no-async'),
  ],
  check: [CONFIG, OUTPUT, flag('--verbose', '-v'), value('--workspace', '-w')],
  'cost-report': [CONFIG, OUTPUT, value('--days'), flag('--all', '-a')],
  'show-gpus': [CONFIG, flag('--all', '-a'), flag('--all-regions'), value('--infra')],
  'gpus list': [CONFIG, OUTPUT, flag('--all', '-a'), flag('--all-regions'), value('--infra')],
  'api info': [CONFIG, OUTPUT],
  'api status': [
    OUTPUT,
    flag('--all-status', '-a'),
    value('--limit', '-l'),
    value('--cluster', '-c'),
    flag('--verbose', '-v'),
  ],
  'api logs': [...FOLLOW, value('--tail'), value('--log-path', '-l'), flag('--server-logs')],
  'api cancel': [YES, flag('--all', '-a'), flag('--all-users', '-u')],
};

const GROUPS = new Set(['api', 'gpus']);

/** A command line taken apart. */
export class Invocation {
  constructor(
    /** For example `launch` or `api status`. */
    readonly verb: string,
    readonly positional: readonly string[],
    private readonly options: ReadonlyMap<string, readonly string[]>,
  ) {}

  has(name: string): boolean {
    return this.options.has(name);
  }

  /** The last value given for an option. */
  get(name: string): string | undefined {
    return this.options.get(name)?.at(-1);
  }

  all(name: string): readonly string[] {
    return this.options.get(name) ?? [];
  }

  get jsonOutput(): boolean {
    return this.get('--output') === 'json';
  }

  integer(name: string): number | undefined {
    const given = this.get(name);
    if (given === undefined) return undefined;
    if (!/^-?\d+$/.test(given)) throw new UsageError(`Invalid value for '${name}': '${given}' is not a valid integer.`);
    return Number(given);
  }
}

/** Takes `argv` (without the program's name) apart as click would. Throws UsageError. */
export function parseArgs(argv: readonly string[]): Invocation {
  const [first = '', second = ''] = argv;
  const verb = GROUPS.has(first) ? `${first} ${second}`.trim() : first;
  const known = COMMANDS[verb];
  if (!known) throw new UsageError(`No such command '${GROUPS.has(first) ? second : first}'.`);
  const { options, positional } = sortArguments(known, argv.slice(verb.split(' ').length));
  const output = options.get('--output')?.at(-1);
  if (output !== undefined && output !== 'json' && output !== 'table')
    throw new UsageError(`Invalid value for '-o' / '--output': '${output}' is not one of 'table', 'json'.`);
  return new Invocation(verb, positional, options);
}

function sortArguments(
  known: readonly Option[],
  rest: readonly string[],
): { readonly options: Map<string, string[]>; readonly positional: string[] } {
  const options = new Map<string, string[]>();
  const positional: string[] = [];
  const add = (name: string, given: string): void => void options.set(name, [...(options.get(name) ?? []), given]);
  for (let index = 0; index < rest.length; index += 1) {
    const argument = rest[index] ?? '';
    if (argument === '--') return { options, positional: [...positional, ...rest.slice(index + 1)] };
    if (!argument.startsWith('-') || argument === '-') {
      positional.push(argument);
      continue;
    }
    const [written = '', ...inline] = argument.startsWith('--') ? argument.split('=') : [argument];
    const option = known.find(({ name, short }) => name === written || short === written);
    if (!option) throw new UsageError(`No such option: ${written}`);
    if (option.shape === 'flag') {
      if (inline.length > 0) throw new UsageError(`Option '${written}' does not take a value.`);
      add(option.name, 'true');
      continue;
    }
    const given = inline.length > 0 ? inline.join('=') : rest[(index += 1)];
    if (given === undefined) throw new UsageError(`Option '${written}' requires an argument.`);
    add(option.name, given);
  }
  return { options, positional };
}
