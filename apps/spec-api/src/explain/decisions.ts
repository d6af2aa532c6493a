import {
  type EventData,
  type EventOf,
  type NormalisedDeployment,
  type OverBudget,
  type RecordedEvent,
  type StoryTopic,
  counted,
} from '@davit/contracts';
import { describePlacement } from '@davit/domain';
import { candidatesOf } from './candidates.js';
import { type Phrase, type Told, joined, priceText } from './line.js';

export function toldOfIntent(event: EventOf<'intent'>): Told | null {
  const { actor } = event;
  switch (event.type) {
    case 'davit.intent.received': {
      const { verb, channel } = event.data;
      return { topic: 'intent', text: `${actor ?? 'somebody who gave no name'} asks to ${verb}, over ${channel}` };
    }
    case 'davit.intent.accepted': {
      const { deployment, about, revision, changed } = event.data;
      const what = joined(deployment ?? about, revision !== undefined && `revision ${revision}`);
      return { topic: 'intent', text: `the intent is accepted: ${what}${changed ? '' : '; it already was so'}` };
    }
    case 'davit.intent.rejected':
      return { topic: 'intent', text: `the intent is rejected (${event.data.code}): ${event.data.detail}` };
  }
}

export function toldOfDeployment(event: EventOf<'deployment'>): Told {
  switch (event.type) {
    case 'davit.deployment.declared': {
      const { revision, generation, spec } = event.data;
      return {
        topic: 'declaration',
        text: `declared revision ${revision}, generation ${generation}: ${specText(spec)}`,
      };
    }
    case 'davit.deployment.deletion-requested':
      return { topic: 'declaration', text: 'the whole deployment is to be deleted' };
    case 'davit.deployment.retry-requested':
      return { topic: 'declaration', text: 'what was given up is to be tried again' };
    case 'davit.deployment.paused': {
      const text = `paused: ${event.data.reason}; nothing is started, replaced or deleted meanwhile`;
      return { topic: 'declaration', text };
    }
    case 'davit.deployment.resumed':
      return { topic: 'declaration', text: 'resumed: what is missing is started again' };
    case 'davit.deployment.revision-activated': {
      const { revision, previous } = event.data;
      return {
        topic: 'condition',
        text: `revision ${revision} is active${previous === null ? '' : `, after revision ${previous}`}`,
      };
    }
    case 'davit.deployment.condition-changed': {
      const { condition, status, reason, message } = event.data;
      const topic = condition === 'WithinBudget' ? 'budget' : 'condition';
      return { topic, text: joined(`${condition} is ${status} (${reason})`, message) };
    }
    case 'davit.deployment.rollout-approved':
    case 'davit.deployment.rollout-rejected':
    case 'davit.deployment.rollout-aborted': {
      const { rolloutId, actor, reason } = event.data;
      const word = event.type.slice('davit.deployment.rollout-'.length);
      return {
        topic: 'rollout',
        text: `rollout ${rolloutId} is ${word} by ${actor ?? 'somebody who gave no name'}: ${reason}`,
      };
    }
    case 'davit.deployment.deleted':
      return { topic: 'deletion', text: 'the deployment is deleted: nothing of it is left at any provider' };
  }
}

function specText({ spec }: NormalisedDeployment): string {
  const { scaling, model, runtime, compute, budget } = spec;
  const where =
    compute.mode === 'elastic'
      ? `${compute.selection === 'best' ? `a set ranked by ${compute.objective}` : 'a ladder'} of ${compute.placements.length}: ${compute.placements.map(describePlacement).join(', ')}`
      : compute.mode === 'serverless'
        ? 'a serverless endpoint at Vast'
        : `${counted(compute.endpoints.length, 'endpoint')} that already ${compute.endpoints.length === 1 ? 'runs' : 'run'}`;
  const limits = budget && [
    budget.maxHourly === undefined ? null : `${budget.maxHourly} ${budget.currency} an hour`,
    budget.maxTotal === undefined ? null : `${budget.maxTotal} ${budget.currency} in all`,
  ];
  return joined(
    `${scaling.replicas} × ${model.id} on ${runtime.engine}`,
    where,
    limits && `at most ${limits.filter((limit) => limit !== null).join(', ')}, else ${budget.onExceed}`,
  );
}

/** What the tenant may spend. */
export const toldOfTenant = ({ data: { budget } }: EventOf<'tenant'>): Told => ({
  topic: 'budget',
  text: budget
    ? `the tenant may spend at most ${joined(budget.maxHourly && `${budget.maxHourly} ${budget.currency} an hour`, budget.maxTotal && `${budget.maxTotal} ${budget.currency} in all`)}`
    : 'the tenant may spend without limits',
});

export function toldOfDecision(event: EventOf<'replica'>): Told {
  const { replicaId: replica } = event.data;
  const tell = (topic: StoryTopic, ...parts: readonly Phrase[]): Told => ({
    topic,
    replica,
    text: joined(...parts),
  });
  switch (event.type) {
    case 'davit.replica.requested': {
      const { reason, replaces, incarnation, revision, ordinal, adapter } = event.data;
      const life = `replica ${ordinal} of revision ${revision}, life ${incarnation}, on ${adapter}`;
      return tell('request', `${life} is asked for: ${reason}`, replaces !== null && `it replaces ${replaces}`);
    }
    case 'davit.replica.discovery-requested':
      return tell('discovery', `look ${event.data.attempt}: does something of its name already exist?`);
    case 'davit.replica.placed':
      return placed(event);
    case 'davit.replica.deferred': {
      const { reason, retryAt, evidence } = event.data;
      const text = joined(`it waits: ${reason}`, `looks again at ${retryAt}`);
      return { topic: 'wait', replica, text, candidates: candidatesOf(evidence, event.time) };
    }
    case 'davit.replica.launch-requested':
      return tell('launch', `launch ${event.data.attempt} is asked for, to be ready by ${event.data.deadlineAt}`);
    case 'davit.replica.deadline-extended':
      return tell(
        'launch',
        `it gets until ${event.data.deadlineAt}, at most ${event.data.capAt}: ${event.data.reason}`,
      );
    case 'davit.replica.ready':
      return tell('ready', `ready: ${event.data.servedModel} at ${event.data.url}`);
    case 'davit.replica.drain-requested': {
      const { reason, deadlineAt, budget } = event.data;
      return tell(budget ? 'budget' : 'drain', `it is to drain: ${reason}`, overText(budget), `by ${deadlineAt}`);
    }
    case 'davit.replica.drained':
      return tell('drain', `drained (${event.data.outcome})`, cutText(event.data));
    case 'davit.replica.delete-requested': {
      const { reason, budget } = event.data;
      return tell(budget ? 'budget' : 'deletion', 'it is to be deleted', reason, overText(budget));
    }
    case 'davit.replica.deleted':
      return tell('deletion', `over: ${event.data.reason}`);
    case 'davit.replica.failed':
      return failed(event);
    case 'davit.replica.quarantined':
      return tell('quarantine', `left alone (${event.data.reason})`, event.data.detail);
  }
}

/** Whose ceiling ends it, and what was held against it. */
function overText(budget: OverBudget | undefined): string | null {
  if (!budget) return null;
  const { of, name, ceiling, limit, held, currency, rate } = budget;
  const own = rate === null ? 'what it costs is not known' : `it costs ${rate} ${currency} an hour`;
  return `the ${ceiling} budget of ${of} ${name} is ${limit} ${currency}, and ${held} are held; ${own}`;
}

const cutText = ({ outcome, cutRequests }: EventData<'davit.replica.drained'>): string | null =>
  outcome === 'deadline' ? `${cutRequests ?? 'an unknown number of'} requests were cut` : null;

function placed(event: Extract<RecordedEvent, { type: 'davit.replica.placed' }>): Told {
  const { replicaId: replica, adopted, placement, rung, price, evidence } = event.data;
  const tell = (text: string): Told => ({
    topic: 'placement',
    replica,
    text,
    candidates: candidatesOf(evidence, event.time),
  });
  if (adopted) return tell('no placement is chosen: what already runs under its name is adopted');
  if (!placement) return tell('no placement is chosen: its backend has no ladder');
  return tell(joined(`placed on rung ${rung ?? 0}: ${describePlacement(placement)}`, priceText(price)));
}

function failed(event: Extract<RecordedEvent, { type: 'davit.replica.failed' }>): Told {
  const { replicaId: replica, class: failureClass, reason, detail, placement, hadServed, paid } = event.data;
  const text = joined(
    `given up (${failureClass}): ${reason}`,
    detail,
    placement && `on ${describePlacement(placement)}`,
    hadServed && 'it had served',
    paid === true && !hadServed && 'its start may have cost money',
  );
  return { topic: 'failure', replica, text };
}
