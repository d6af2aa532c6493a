import { COST_GROUPS } from '@davit/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { apply, type ApplyOptions } from './commands/apply.js';
import { type AuditOptions, audit } from './commands/audit.js';
import { type BudgetFilter, type BudgetOptions, clearBudget, getBudgets, setBudget } from './commands/budget.js';
import { type HistoryOptions, type OfferOptions, capacityHistory, capacityOffers } from './commands/capacity.js';
import { type CostOptions, cost } from './commands/cost.js';
import { deleteDeployment, type DeleteOptions } from './commands/delete.js';
import { doctor } from './commands/doctor.js';
import { events, type EventsOptions } from './commands/events.js';
import { alarms, fleet, orphans } from './commands/fleet.js';
import { type GetOptions, KINDS, type Kind, get } from './commands/get.js';
import {
  type NamedOptions,
  type ReasonOptions,
  cancel,
  pause,
  reap,
  resume,
  retry,
  scale,
  thaw,
} from './commands/orders.js';
import { addKeys } from './commands/keys.js';
import { plan } from './commands/plan.js';
import { type ReceiptOptions, receipt, verify } from './commands/receipt.js';
import { type ApproveOptions, type RolloutsOptions, approve, rollout, rollouts } from './commands/rollouts.js';
import { type WhatIfOptions, whatIf } from './commands/whatif.js';
import { CommandError, exitCodes } from './exit-codes.js';
import { addExplain } from './program/explain.js';
import { addPast } from './program/past.js';
import { DEFAULT_URL, type GlobalOptions, type Session, openSession } from './session.js';

/** The command line of `davit`. */
export function buildProgram(open: (options: GlobalOptions) => Session = openSession): Command {
  const program = new Command('davit')
    .description('Declares deployments of inference replicas, and tells what runs and why')
    .version('0.1.0')
    .option('--url <address>', `address of spec-api (default: DAVIT_URL, or ${DEFAULT_URL})`)
    .option(
      '--key-file <file>',
      'file with an API key or token (default: DAVIT_API_KEY, or the file DAVIT_API_KEY_FILE)',
    )
    .option('--json', 'machine-readable output')
    .option('--actor <name>', 'who asks, for the record (default: DAVIT_ACTOR, or USER)')
    .option('--at <instant>', 'show what was at this position or time: 4711, 16:37, 2026-11-30T16:37:00Z, 2h');
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
    .requiredOption('-f, --file <files...>', 'specifications, YAML or JSON; - reads standard input')
    .action((options: { file: string[] }) => plan(session(), options));
  program
    .command('get')
    .description(`show ${KINDS.join(', ')}`)
    .argument('<kind>', KINDS.join(' | '), (text: string) => kindOf(text))
    .option('--deployment <tenant/name>', 'only replicas of this deployment')
    .option('--all', 'also what is proven gone')
    .option('--wide', 'also the name of each replica at its provider')
    .option('--watch', 'again whenever something changes')
    .argument('[id]', 'of one rollout, which is then shown whole')
    .action((kind: Kind, id: string | undefined, options: GetOptions) => {
      if (id === undefined) return get(session(), kind, options);
      if (kind === 'rollouts') return rollout(session(), id);
      throw notShownById(kind, id);
    });
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
    .argument('<name>', 'its name, or tenant/name')
    .option('--tenant <name>', 'its tenant', 'default')
    .option('--plan', 'show what it would withdraw, drain and delete, and what bills until it is gone; changes nothing')
    .option('--wait', 'stay until nothing of it is left at any provider')
    .option('--timeout <seconds>', 'give up waiting after this long', seconds, '3600')
    .action((name: string, options: DeleteOptions) => deleteDeployment(session(), name, options));
  program
    .command('cancel')
    .description('stop a rollout; what serves stays, the candidate goes')
    .argument('<name>', 'its name, or tenant/name')
    .option('--tenant <name>', 'its tenant', 'default')
    .action((name: string, options: NamedOptions) => cancel(session(), name, options));
  program
    .command('retry')
    .description('try again what was given up after failed starts')
    .argument('<name>', 'its name, or tenant/name')
    .option('--tenant <name>', 'its tenant', 'default')
    .action((name: string, options: NamedOptions) => retry(session(), name, options));
  addPresence(program, session);
  const ofOrphans = program
    .command('orphans')
    .description('show what carries our name at a provider and has no owner')
    .option('--all', 'also what is dealt with')
    .action((options: { all?: boolean }) => orphans(session(), options));
  ofOrphans
    .command('reap')
    .description('let an orphan be deleted once its quarantine is over')
    .argument('<key>', 'its key, or its name or provider id where only one has it')
    .requiredOption('--reason <text>', 'why; it stays in the log')
    .action((key: string, options: ReasonOptions) => reap(session(), key, options));
  program
    .command('alarms')
    .description('show the alarms that are up')
    .action(() => alarms(session()));
  const ofFleet = program
    .command('fleet')
    .description('show how much serves, what was lost, and whether the fleet is frozen')
    .action(() => fleet(session()));
  ofFleet
    .command('thaw')
    .description('say that the deaths are real: what is frozen goes on')
    .requiredOption('--reason <text>', 'why; it stays in the log')
    .action((options: ReasonOptions) => thaw(session(), options));
  addBudget(program, session);
  addCapacity(program, session);
  addWhatIf(program, session);
  addRollouts(program, session);
  addCost(program, session);
  addExplain(program, session);
  addPast(program, session);
  addKeys(program, session);
  program
    .command('audit')
    .description('hold the log against the laws, with the positions of what breaks one')
    .option('--from <position>', 'tell only what stands at this position or later; all before is still read', '1')
    .action((options: AuditOptions) => audit(session(), options));
  program
    .command('doctor')
    .description('say what is missing, and how to mend it')
    .action(() => doctor(session()));
  for (const command of withSubcommands(program))
    command.exitOverride().showHelpAfterError(`(see ${pathOf(command)} --help)`);
  return program;
}

/** How many replicas there are, and whether anything is done about it. */
function addPresence(program: Command, session: () => Session): void {
  program
    .command('scale')
    .description('ask for another number of replicas; all else stays as it was declared')
    .argument('<name>', 'its name, or tenant/name')
    .argument('<replicas>', 'how many; 0 keeps the deployment and deletes its replicas', (text: string) =>
      replicas(text),
    )
    .option('--tenant <name>', 'its tenant', 'default')
    .action((name: string, wanted: number, options: NamedOptions) => scale(session(), name, wanted, options));
  program
    .command('pause')
    .description('keep what serves, and start, replace and delete nothing')
    .argument('<name>', 'its name, or tenant/name')
    .requiredOption('--reason <text>', 'why; it stays in the log')
    .option('--tenant <name>', 'its tenant', 'default')
    .action((name: string, options: NamedOptions & ReasonOptions) => pause(session(), name, options));
  program
    .command('resume')
    .description('end a pause: heals and rollouts that waited go on')
    .argument('<name>', 'its name, or tenant/name')
    .option('--tenant <name>', 'its tenant', 'default')
    .action((name: string, options: NamedOptions) => resume(session(), name, options));
}

function addRollouts(program: Command, session: () => Session): void {
  program
    .command('rollouts')
    .description('show how candidates prove themselves, and which wait for a word')
    .option('--deployment <tenant/name>', 'only of this deployment')
    .option('--all', 'also those that are over')
    .action((options: RolloutsOptions) => rollouts(session(), options));
  program
    .command('approve')
    .description('let a rollout change production, or say no')
    .argument('<rollout>', 'its id, with or without the tenant')
    .requiredOption('--reason <text>', 'why; it stays in the log')
    .option(
      '--evidence <digest>',
      'the evidence that was read; anything else that waits is refused (default: what waits now)',
    )
    .option('--reject', 'production stays as it is, and the candidate goes')
    .option('--abort', 'stop, however far it is: what production was changed to is taken back')
    .action((id: string, options: ApproveOptions) => approve(session(), id, options));
  const ofReceipt = program
    .command('receipt')
    .description('write what a rollout did, and all that it rests on, into a directory')
    .argument('<rollout>', 'its id, with or without the tenant')
    .option('-o, --output <directory>', 'new or empty (default: receipt-<rollout>)')
    .action((id: string, options: ReceiptOptions) => receipt(session(), id, options));
  ofReceipt
    .command('verify')
    .description('work a receipt out again from its own files; asks no server')
    .argument('<directory>', 'where it was written')
    .action((directory: string) => verify(session(), directory));
}

function addCost(program: Command, session: () => Session): void {
  program
    .command('cost')
    .description('show what was spent, with the events that say so')
    .argument('[deployment]', 'only this deployment')
    .option('--tenant <name>', 'only this tenant')
    .option('--today', 'only this day, in UTC')
    .option('--from <day>', 'first day in UTC, for example 2026-11-01 (default: 29 days before the last)')
    .option('--to <day>', 'last day in UTC (default: today)')
    .addOption(
      new Option('--by <group>', 'a row for each deployment, tenant, day or replica')
        .choices(COST_GROUPS)
        .default('deployment'),
    )
    .action((deployment: string | undefined, options: CostOptions) => cost(session(), deployment, options));
}

function addBudget(program: Command, session: () => Session): void {
  const ofBudget = program.command('budget').description('show and set what may be spent');
  ofBudget
    .command('get')
    .description('show how the budgets of tenants and deployments stand')
    .option('--tenant <name>', 'only of this tenant and its deployments')
    .action((options: BudgetFilter) => getBudgets(session(), options));
  ofBudget
    .command('set')
    .description('set what all deployments of a tenant may spend together')
    .option('--tenant <name>', 'the tenant', 'default')
    .option('--max-hourly <amount>', 'of all machines that bill at once, for example 4.00')
    .option('--max-total <amount>', 'of everything from now on')
    .option('--currency <code>', 'of both (default: USD)')
    .option('--on-exceed <policy>', 'refuse | drain: rent nothing more, or drain what came last, too (default: refuse)')
    .option('--alarm-at <share>', 'share of a ceiling at which an alarm is raised (default: 0.8)')
    .action((options: BudgetOptions) => setBudget(session(), options));
  ofBudget
    .command('clear')
    .description('take the ceilings of a tenant away; those of its deployments stay')
    .option('--tenant <name>', 'the tenant', 'default')
    .action((options: { tenant: string }) => clearBudget(session(), options));
}

function addCapacity(program: Command, session: () => Session): void {
  const capacity = program.command('capacity').description('show what is and was known of offers');
  withOfferFilter(capacity.command('history'))
    .description('show signals, prices and starts by offer, in the order of time, and when nothing was known')
    .option('--from <time>', 'an instant, or so long ago: 30m, 2h, 7d (default: a day before --to)')
    .option('--to <time>', 'an instant, or so long ago (default: now)')
    .option('--after <position>', 'go on after this position')
    .option('--limit <count>', 'at most about this many', count, '1000')
    .action((options: HistoryOptions) => capacityHistory(session(), options));
  withOfferFilter(capacity.command('offers'))
    .description('show each offer: present stock, what own history says of it, last prices')
    .action((options: OfferOptions) => capacityOffers(session(), options));
}

function addWhatIf(program: Command, session: () => Session): void {
  program
    .command('whatif')
    .description('replay what was recorded against another specification or policy; changes nothing')
    .option('-f, --file <file>', 'specification that is tried, YAML or JSON; - reads standard input')
    .option('--from <time>', 'an instant, or so long ago: 30m, 2h, 7d (default: a day before --to)')
    .option('--to <time>', 'an instant, or so long ago (default: now)')
    .addOption(
      new Option('--objective <name>', 'rank the placements by this, as a set').choices([
        'cost',
        'readiness',
        'reliability',
      ]),
    )
    .option('--against <tenant/name>', 'the deployment whose place it takes; without -f, with what it declared')
    .action((options: WhatIfOptions) => whatIf(session(), options));
}

const withOfferFilter = (command: Command): Command =>
  command
    .option('--cloud <name>', 'only offers of this cloud')
    .option('--accelerator <name>', 'only this card, with or without a count: L40S, L40S:2')
    .option('--region <name>', 'only this region')
    .option('--spot', 'only spot');

const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap((one) => withSubcommands(one)),
];

function seconds(text: string): string {
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) return text;
  throw new InvalidArgumentError('Write a number of seconds, for example 600.');
}

function count(text: string): string {
  if (/^[1-9]\d{0,6}$/.test(text)) return text;
  throw new InvalidArgumentError('Write a whole number from 1 on.');
}

function replicas(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number, for example 3, or 0 for none.');
}

function kindOf(text: string): Kind {
  const kind = KINDS.find((known) => known === text || known === `${text}s`);
  if (kind === undefined) throw new UnknownKindError(text);
  return kind;
}

function notShownById(kind: Exclude<Kind, 'rollouts'>, id: string): CommandError {
  const instead = {
    deployments: `davit explain deployment ${id}`,
    replicas: `davit get replicas --deployment ${id}`,
    routes: `davit explain route ${id}`,
  } as const;
  const text = `error  "${id}" is one word too many: ${kind} are shown together.\n       Leave it out, or write: ${instead[kind]}`;
  return new CommandError(exitCodes.badInput, text);
}

/** `davit orphans reap`. */
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

export class UnknownKindError extends Error {
  constructor(text: string) {
    super(`error  "${text}" is not something to get. Write one of: ${KINDS.join(', ')}.`);
  }
}
