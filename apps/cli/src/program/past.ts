import { REPLAYED_KINDS } from '@davit/contracts';
import type { Command } from 'commander';
import { SHELLS, type Shell, completion } from '../commands/completion.js';
import { type DiffOptions, diff } from '../commands/diff.js';
import { type ExportOptions, exportEvents } from '../commands/export.js';
import { type ReplayOptions, replay } from '../commands/replay.js';
import { type TimelineOptions, timeline } from '../commands/timeline.js';
import type { Session } from '../session.js';

/** What looks back: the log is enough to answer for any instant. */
export function addPast(program: Command, session: () => Session): void {
  program
    .command('at')
    .description('any command that shows something, as it was: davit at 16:37 get replicas')
    .argument('<instant>', 'position, RFC 3339 time, time of today (UTC), or so long ago: 4711, 16:37, 2h')
    .argument('<command...>', 'what to show');
  program
    .command('diff')
    .description('say what changed between two instants, and which event changed it')
    .argument('<from>', 'position, RFC 3339 time, time of today (UTC), or so long ago')
    .argument('[to]', 'the same (default: now)')
    .option('--deployment <tenant/name>', 'only what belongs to this deployment')
    .option('--limit <count>', 'things at most')
    .action((from: string, to: string | undefined, options: DiffOptions) => diff(session(), from, to, options));
  program
    .command('timeline')
    .description('draw the lives of the replicas of a deployment, from the log')
    .argument('<deployment>', 'its name, or tenant/name')
    .option('--tenant <name>', 'its tenant', 'default')
    .option('--from <instant>', 'position, RFC 3339 time, time of today (UTC), or so long ago (default: its beginning)')
    .action((name: string, options: TimelineOptions) => timeline(session(), name, options));
  program
    .command('replay')
    .description(`take recorded decisions again under another policy (${REPLAYED_KINDS.join(', ')}); changes nothing`)
    .option('--policy <file>', 'policy, YAML or JSON; without one all is as it was, and nothing may differ')
    .option('--set <settings...>', 'the same in words: placement.objective=readiness verdict.minDuration=10m')
    .option('--from <instant>', 'position, instant, or so long ago (default: the beginning)')
    .option('--to <instant>', 'the same (default: now)')
    .option('--deployment <tenant/name>', 'only decisions on this deployment')
    .action((options: ReplayOptions) => replay(session(), options));
  program
    .command('export')
    .description('write events of the log as lines of JSON, whole and in order')
    .option('--after <position>', 'only events after this position', '0')
    .option('--category <names>', 'only events of these categories, parted by commas')
    .option('--deployment <tenant/name>', 'only what is told of this deployment')
    .action((options: ExportOptions) => exportEvents(session(), options));
  program
    .command('completion')
    .description(`print what makes a shell complete davit: ${SHELLS.join(', ')}`)
    .argument('<shell>', SHELLS.join(' | '))
    .action((shell: Shell) => completion(session(), shell));
}
