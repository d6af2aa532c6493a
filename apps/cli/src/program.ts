import { Command, InvalidArgumentError, Option } from 'commander';
import { apply, type ApplyOptions } from './commands/apply.js';
import { deleteDeployment, type DeleteOptions } from './commands/delete.js';
import { doctor } from './commands/doctor.js';
import { events, type EventsOptions } from './commands/events.js';
import { type GetOptions, KINDS, type Kind, get } from './commands/get.js';
import { plan } from './commands/plan.js';
import { DEFAULT_URL, type GlobalOptions, type Session, openSession } from './session.js';

/** The command line of `davit`. */
export function buildProgram(open: (options: GlobalOptions) => Session = openSession): Command {
  const program = new Command('davit')
    .description('Declares deployments of inference replicas, and tells what runs and why')
    .version('0.1.0')
    .option('--url <address>', `address of spec-api (default: DAVIT_URL, or ${DEFAULT_URL})`)
    .option('--json', 'machine-readable output')
    .option('--actor <name>', 'who asks, for the record (default: DAVIT_ACTOR, or USER)')
    .showHelpAfterError('(see davit --help)');
  const session = (): Session => open(program.opts<GlobalOptions>());

  program
    .command('apply')
    .description('declare a deployment')
    .requiredOption('-f, --file <file>', 'specification, YAML or JSON; - reads standard input')
    .option('--wait', 'stay until it is as declared')
    .option('--timeout <seconds>', 'give up waiting after this long', seconds, '3600')
    .option('--idempotency-key <key>', 'same key and same content give the same answer')
    .action((options: ApplyOptions) => apply(session(), options));
  program
    .command('plan')
    .description('show what applying would do and cost; changes nothing')
    .requiredOption('-f, --file <file>', 'specification, YAML or JSON; - reads standard input')
    .action((options: { file: string }) => plan(session(), options));
  program
    .command('get')
    .description(`show ${KINDS.join(', ')}`)
    .argument('<kind>', KINDS.join(' | '), (text: string) => kindOf(text))
    .option('--deployment <tenant/name>', 'only replicas of this deployment')
    .option('--all', 'also what is proven gone')
    .option('--watch', 'again whenever something changes')
    .action((kind: Kind, options: GetOptions) => get(session(), kind, options));
  program
    .command('events')
    .description('show events of the log')
    .option('--after <position>', 'only events after this position', '0')
    .option('--limit <count>', 'at most this many (without --follow)', '100')
    .addOption(new Option('--category <name>', 'only events of one category'))
    .option('--follow', 'go on as they happen')
    .action((options: EventsOptions) => events(session(), options));
  program
    .command('delete')
    .description('delete a deployment')
    .argument('<name>', 'its name')
    .option('--tenant <name>', 'its tenant', 'default')
    .option('--wait', 'stay until nothing of it is left at any provider')
    .option('--timeout <seconds>', 'give up waiting after this long', seconds, '3600')
    .action((name: string, options: DeleteOptions) => deleteDeployment(session(), name, options));
  program
    .command('doctor')
    .description('say what is missing, and how to mend it')
    .action(() => doctor(session()));
  for (const command of [program, ...program.commands]) command.exitOverride();
  return program;
}

function seconds(text: string): string {
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) return text;
  throw new InvalidArgumentError('Write a number of seconds, for example 600.');
}

function kindOf(text: string): Kind {
  const kind = KINDS.find((known) => known === text || known === `${text}s`);
  if (kind === undefined) throw new UnknownKindError(text);
  return kind;
}

export class UnknownKindError extends Error {
  constructor(text: string) {
    super(`error  "${text}" is not something to get. Write one of: ${KINDS.join(', ')}.`);
  }
}
