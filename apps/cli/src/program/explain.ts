import type { Command } from 'commander';
import { type ExplainOptions, type Named, STORIES, explain, explainAlarm, explainBudget } from '../commands/explain.js';
import type { Session } from '../session.js';

const DESCRIPTIONS: Readonly<Record<Named, readonly [description: string, name: string]>> = {
  replica: ['the life of one replica, and of those it replaces', 'its id, with or without the tenant'],
  deployment: ['what became of a deployment', 'its name, or tenant/name'],
  route: ['why requests for a name go where they go', 'the name that is served under, or tenant/name'],
  wait: ['what a replica waits for, and why', 'id of the replica, with or without the tenant'],
  cost: ['each price that a deployment was paid for at, from where to where', 'name of the deployment, or tenant/name'],
  rollout: ['how a rollout came to where it is', 'its id, with or without the tenant'],
  verdict: ['why a candidate was judged as it was', 'id of the rollout, with or without the tenant'],
  orphan: ['what is known of something that nobody owns', 'its key, as davit orphans shows it'],
};

export function addExplain(program: Command, session: () => Session): void {
  const ofExplain = program
    .command('explain')
    .description('tell how it came to what is now, from the intent on, with the position of each step');
  for (const kind of STORIES) {
    const [description, name] = DESCRIPTIONS[kind];
    paged(ofExplain.command(kind).description(description).argument('<name>', name)).action(
      (named: string, options: ExplainOptions) => explain(session(), kind, named, options),
    );
  }
  paged(
    ofExplain
      .command('alarm')
      .description('why an alarm is up, or was, with the story of what it is about')
      .argument('<alarm>', 'its name, as davit alarms shows it')
      .argument('<about>', 'what it is about'),
  ).action((alarm: string, about: string, options: ExplainOptions) => explainAlarm(session(), alarm, about, options));
  paged(
    ofExplain
      .command('budget')
      .description('how a budget stands, and what it let wait or ended')
      .argument('[deployment]', 'its name, or tenant/name (default: the budget of the whole tenant)'),
  ).action((named: string | undefined, options: ExplainOptions) => explainBudget(session(), named, options));
}

const paged = (command: Command): Command =>
  command
    .option('--tenant <name>', 'its tenant', 'default')
    .option('--after <position>', 'only what stands after this position');
