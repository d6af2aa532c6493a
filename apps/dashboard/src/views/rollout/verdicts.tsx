import { Text } from '@mantine/core';
import { Figures } from '../../parts/figures.js';
import type { Evidence } from './evidence.js';
import { Mark } from '../../parts/mark.js';
import { MomentLink } from '../../parts/moment-link.js';
import { Ago } from '../../parts/time.js';
import type { Tone } from '../../words/states.js';
import styles from './rollout.module.css';

const OUTCOMES: Readonly<Record<'met' | 'open' | 'broken', Tone>> = { met: 'good', open: 'waiting', broken: 'bad' };

/** The latest verdict, with the rules that it rests on and the verdicts that it was not. */
export function Verdicts({ evidence: { verdicts } }: { readonly evidence: Evidence }) {
  const latest = verdicts.at(-1);
  if (!latest) return null;
  const { verdict } = latest;
  return (
    <div>
      <Text size="sm" mb={8}>
        Verdict <strong>{verdict.verdict}</strong> <Ago at={latest.at} /> at <MomentLink position={latest.position} />,
        from {verdict.samples.candidate} requests of the candidate and {verdict.samples.baseline} of the baseline; error
        bounds {verdict.alpha} and {verdict.beta}.
      </Text>
      <ul className={styles.reasons} aria-label="Rules">
        {verdict.reasons.map(({ rule, outcome, detail, figures }) => (
          <li key={rule}>
            <Mark tone={OUTCOMES[outcome]}>
              <strong>{rule}</strong> {outcome}
            </Mark>{' '}
            {detail}
            <div className={styles.figures}>
              <Figures figures={figures} />
            </div>
          </li>
        ))}
        {verdict.rejectedAlternatives.map((other) => (
          <li key={other.verdict}>
            <Mark tone="gone">not {other.verdict}</Mark> {other.because}
          </li>
        ))}
      </ul>
    </div>
  );
}
