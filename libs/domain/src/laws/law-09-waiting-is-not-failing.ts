import type { EventOf } from '@davit/contracts';
import { rolloutDeadlines } from './rollout-rules.js';
import { defineLaw } from './violation.js';

/**
 * Law 9: a wait has a reason and an end that lies ahead; only what was tried can fail; what failed is deleted; a start
 * deadline that passes is extended or ends the start.
 */
export const law09 = defineLaw('law-09-waiting-is-not-failing', (report, { clockSkewMs, graceMs }) => {
  const waiting = new Map<string, number>();
  const failed = new Map<string, number>();
  const starting = new Map<string, { readonly position: number; readonly deadlineMs: number }>();

  function mustLieAhead(event: EventOf<'replica'>, what: string, instant: string): void {
    if (Date.parse(instant) + clockSkewMs < Date.parse(event.time))
      report(event, event.data.replicaId, `${what} ${instant} had passed when it was set`);
  }
  function mustNotHaveFailed(event: EventOf<'replica'>, verb: string): void {
    const since = failed.get(event.data.replicaId);
    if (since !== undefined) report(event, event.data.replicaId, `${verb} after it had failed`, [since]);
  }

  function seeReplica(event: EventOf<'replica'>): void {
    const id = event.data.replicaId;
    const wait = waiting.get(id);
    waiting.delete(id);
    switch (event.type) {
      case 'davit.replica.deferred':
        waiting.set(id, event.position);
        starting.delete(id);
        mustNotHaveFailed(event, 'waits');
        mustLieAhead(event, 'the next try', event.data.retryAt);
        if (event.data.reason === '') report(event, id, 'waits without a reason');
        return;
      case 'davit.replica.launch-requested':
        mustNotHaveFailed(event, 'launched again');
        mustLieAhead(event, 'the start deadline', event.data.deadlineAt);
        starting.set(id, { position: event.position, deadlineMs: Date.parse(event.data.deadlineAt) });
        return;
      case 'davit.replica.deadline-extended':
        mustLieAhead(event, 'the start deadline', event.data.deadlineAt);
        if (Date.parse(event.data.deadlineAt) > Date.parse(event.data.capAt))
          report(event, id, `its deadline was extended past the cap ${event.data.capAt}`);
        if (event.data.reason === '') report(event, id, 'its deadline was extended without a reason');
        starting.set(id, { position: event.position, deadlineMs: Date.parse(event.data.deadlineAt) });
        return;
      case 'davit.replica.drain-requested':
        mustLieAhead(event, 'the drain deadline', event.data.deadlineAt);
        starting.delete(id);
        return;
      case 'davit.replica.failed':
        if (wait !== undefined) report(event, id, 'failed while it waited: waiting is no failure', [wait]);
        failed.set(id, event.position);
        starting.delete(id);
        return;
      case 'davit.replica.ready':
        mustNotHaveFailed(event, 'ready');
        starting.delete(id);
        return;
      case 'davit.replica.delete-requested':
      case 'davit.replica.deleted':
        failed.delete(id);
        starting.delete(id);
        return;
      case 'davit.replica.quarantined':
        starting.delete(id);
        return;
      default:
    }
  }

  const rollouts = rolloutDeadlines(report, clockSkewMs);
  return {
    see(event) {
      rollouts.see(event);
      if (isReplicaEvent(event)) seeReplica(event);
    },
    end(ended, nowMs) {
      rollouts.end?.(ended, nowMs);
      for (const [id, { position, deadlineMs }] of starting)
        if (ended || deadlineMs + graceMs < nowMs)
          report({ position }, id, 'its start deadline passed, and nothing followed');
      if (ended)
        for (const [id, position] of failed) report({ position }, id, 'failed, and its deletion was never asked for');
    },
  };
});

const isReplicaEvent = (event: { readonly type: string }): event is EventOf<'replica'> =>
  event.type.startsWith('davit.replica.');
