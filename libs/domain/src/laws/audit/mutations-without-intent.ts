import type { RecordedEvent } from '@davit/contracts';
import { isOrphanStream } from '../../lifecycle/evolve-orphan.js';
import { Reaping } from '../reaping.js';
import { type Law, attemptStep, defineLaw, keyOf } from '../violation.js';

/**
 * Every change leads back to somebody's wish: orders to an accepted intent, replicas to a declared deployment, launches and
 * deletions to a request of their own, the reaping of an orphan to a policy or an approval.
 */
export const mutationsWithoutIntent: Law = defineLaw('audit-mutations-without-intent', (report, { clockSkewMs }) => {
  const accepted = new Set<string>();
  const declared = new Map<string, { readonly deleting: boolean }>();
  const asked = { launch: new Set<string>(), delete: new Set<string>() };
  const reaping = new Reaping();

  function mustBeAccepted(event: RecordedEvent, intentId: string): void {
    if (!accepted.has(intentId)) report(event, intentId, `${short(event)} without an intent that was accepted`);
  }

  function seeEffect(event: RecordedEvent): void {
    const step = attemptStep(event);
    if (step?.outcome !== 'attempted') return;
    const key = keyOf(event);
    if (isOrphanStream(event.stream)) {
      const objection = reaping.objection(event, clockSkewMs);
      if (objection) report(event, key, objection.text, objection.evidence);
      return;
    }
    const id = 'replicaId' in event.data ? event.data.replicaId : null;
    if (id === null || !asked[step.effect].has(id)) report(event, id ?? key, `${step.effect} that nobody asked for`);
  }

  return {
    see(event) {
      reaping.see(event);
      seeEffect(event);
      switch (event.type) {
        case 'davit.intent.accepted':
          accepted.add(event.data.intentId);
          return;
        case 'davit.deployment.declared':
          mustBeAccepted(event, event.data.intentId);
          declared.set(keyOf(event), { deleting: false });
          return;
        case 'davit.deployment.deletion-requested':
          mustBeAccepted(event, event.data.intentId);
          declared.set(keyOf(event), { deleting: true });
          return;
        case 'davit.deployment.retry-requested':
        case 'davit.deployment.paused':
        case 'davit.deployment.resumed':
        case 'davit.fleet.thaw-ordered':
        case 'davit.fleet.reap-approved':
          mustBeAccepted(event, event.data.intentId);
          return;
        case 'davit.deployment.deleted':
          if (declared.get(keyOf(event))?.deleting !== true)
            report(event, keyOf(event), 'deleted, and nobody asked for it');
          declared.delete(keyOf(event));
          return;
        case 'davit.replica.requested':
          if (!declared.has(event.data.deployment))
            report(event, event.data.replicaId, 'asked for by no deployment that is declared');
          return;
        case 'davit.replica.launch-requested':
          asked.launch.add(event.data.replicaId);
          return;
        case 'davit.replica.delete-requested':
          asked.delete.add(event.data.replicaId);
          return;
        case 'davit.replica.deleted':
          asked.launch.delete(event.data.replicaId);
          asked.delete.delete(event.data.replicaId);
          return;
        default:
      }
    },
  };
});

const short = ({ type }: RecordedEvent): string => type.slice('davit.'.length);
