import type { RolloutView } from '@davit/contracts';
import { Mark } from '../../parts/mark.js';
import type { Tone } from '../../words/states.js';
import styles from './rollout.module.css';

/** The way of a candidate that is accepted, in its order. */
const WAY = [
  ['proving', 'prove'],
  ['bounding', 'set bounds'],
  ['ramping', 'ramp load'],
  ['baselining', 'record baseline'],
  ['awaiting-approval', 'approval'],
  ['updating', 'update'],
  ['observing', 'move workers'],
  ['judging', 'judge'],
] as const;

export function toneOfRollout({ outcome, phase, waiting }: RolloutView): Tone {
  if (outcome === 'accepted') return 'good';
  if (outcome !== null) return 'bad';
  if (waiting !== null) return 'waiting';
  return phase === 'withdrawing' || phase === 'rolling-back' ? 'ending' : 'progress';
}

/** How far a rollout has come. */
export function Phases({ rollout }: { readonly rollout: RolloutView }) {
  const at = WAY.findIndex(([phase]) => phase === rollout.phase);
  const done = rollout.outcome === 'accepted' ? WAY.length : at;
  return (
    <ol className={styles.phases} aria-label="Phases">
      {WAY.map(([phase, word], index) => {
        const here = index === at;
        const tone: Tone = here ? toneOfRollout(rollout) : index < done ? 'good' : 'gone';
        return (
          <li
            key={phase}
            className={styles.phase}
            data-here={here || undefined}
            aria-current={here ? 'step' : undefined}
          >
            <Mark tone={tone}>{word}</Mark>
          </li>
        );
      })}
    </ol>
  );
}
