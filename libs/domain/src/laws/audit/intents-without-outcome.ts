import type { RecordedEvent } from '@davit/contracts';
import { deploymentKeyOf } from '../../lifecycle/evolve-deployment.js';
import { isOrphanStream } from '../../lifecycle/evolve-orphan.js';
import { type Law, attemptStep, defineLaw, keyOf, providerFact } from '../violation.js';
import { OpenAlarms } from './open-alarms.js';

type Open = { readonly position: number; readonly time: string; readonly what: string; readonly names: string[] };

/**
 * What was begun ends, or somebody was told: attempts, launches, deletions and intents that are open for longer than the grace
 * when the log ends, and that no alarm names.
 */
export const intentsWithoutOutcome: Law = defineLaw('audit-intents-without-outcome', (report, { graceMs }) => {
  const open = new Map<string, Open>();
  const alarms = new OpenAlarms();

  const begin = (kind: string, about: string, event: RecordedEvent, what: string, names: readonly string[]): void =>
    void open.set(`${kind} ${about}`, { position: event.position, time: event.time, what, names: [about, ...names] });
  const end = (about: string, ...kinds: readonly string[]): void =>
    kinds.forEach((kind) => open.delete(`${kind} ${about}`));
  /** A replica is named by itself or by its deployment. */
  const replica = (kind: string, event: RecordedEvent, id: string, what: string): void =>
    begin(kind, id, event, what, [deploymentKeyOf(id) ?? id]);

  function seeAttempt(event: RecordedEvent): void {
    const key = keyOf(event);
    const fact = providerFact(event);
    if (fact === 'absence-confirmed' || fact === 'orphan-cleared') end(key, 'launch', 'delete');
    const step = attemptStep(event);
    if (!step) return;
    const id = 'replicaId' in event.data && !isOrphanStream(event.stream) ? event.data.replicaId : null;
    if (id !== null && step.effect === 'launch') end(id, 'launch of');
    if (step.outcome === 'accepted' || step.outcome === 'refused') {
      end(key, step.effect);
      return;
    }
    const names = id === null ? [] : [id, deploymentKeyOf(id) ?? id];
    begin(step.effect, key, event, `the outcome of this ${step.effect} is unknown`, names);
  }

  return {
    see(event) {
      alarms.see(event);
      seeAttempt(event);
      switch (event.type) {
        case 'davit.intent.received': {
          begin('intent', event.data.intentId, event, 'neither accepted nor rejected', []);
          return;
        }
        case 'davit.intent.accepted':
        case 'davit.intent.rejected': {
          end(event.data.intentId, 'intent');
          return;
        }
        case 'davit.deployment.deletion-requested': {
          begin('deployment', keyOf(event), event, 'its deletion does not end', []);
          return;
        }
        case 'davit.deployment.declared':
        case 'davit.deployment.deleted': {
          end(keyOf(event), 'deployment');
          return;
        }
        case 'davit.replica.launch-requested': {
          replica('launch of', event, event.data.replicaId, 'its launch was never attempted');
          return;
        }
        case 'davit.replica.failed':
          end(event.data.replicaId, 'launch of');
          {
            replica('failed', event, event.data.replicaId, 'failed, and not deleted');
            return;
          }
        case 'davit.replica.delete-requested':
          end(event.data.replicaId, 'launch of', 'failed');
          {
            replica('deletion of', event, event.data.replicaId, 'its deletion does not end');
            return;
          }
        case 'davit.replica.deleted': {
          end(event.data.replicaId, 'launch of', 'failed', 'deletion of');
          return;
        }
        default:
      }
    },
    end(ended, nowMs) {
      for (const { position, time, what, names } of open.values()) {
        const ageMs = nowMs - Date.parse(time);
        if (!ended && (ageMs <= graceMs || alarms.name(...names))) continue;
        report({ position }, names[0] ?? '', `${what}, for ${Math.round(ageMs / 1_000)} s, and no alarm names it`);
      }
    },
  };
});
