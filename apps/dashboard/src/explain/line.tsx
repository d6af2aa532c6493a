import type { StoryCandidate, StoryLine } from '@davit/contracts';
import { memo } from 'react';
import { moneyText } from '../format/money.js';
import { machineAmount, placementText } from '../format/placement.js';
import { clockText, durationText, exactText } from '../format/time.js';
import { Figures } from '../parts/figures.js';
import { ExplainLink } from '../parts/link.js';
import { MomentLink } from '../parts/moment-link.js';
import styles from './story.module.css';

/** One event, told, with what was weighed for it. */
export const StoryLineItem = memo(function StoryLineItem({
  line,
  about,
}: {
  readonly line: StoryLine;
  /** What the story is about: said of other replicas only. */
  readonly about: string;
}) {
  const at = Date.parse(line.at);
  const { replica, candidates, signals, reasons, alternatives } = line;
  return (
    <li className={styles.line} data-topic={line.topic}>
      <span className={styles.when}>
        <time dateTime={line.at} title={exactText(at)}>
          {clockText(new Date(at))}
        </time>
        <MomentLink position={line.position} />
      </span>
      <div className={styles.told}>
        <span className={styles.topic}>{line.topic}</span>
        {replica !== null && replica !== about && (
          <>
            <ExplainLink about={`replicas/${replica}`}>{replica.slice(replica.indexOf('/') + 1)}</ExplainLink>{' '}
          </>
        )}
        <span>{line.text}</span>
        {candidates.length > 0 && (
          <ul className={styles.candidates} aria-label="What was weighed">
            {candidates.map((candidate) => (
              <Candidate key={`${candidate.rung}`} candidate={candidate} />
            ))}
          </ul>
        )}
        {signals.length > 0 && (
          <ul className={styles.candidates} aria-label="What was said of it">
            {signals.map(({ source, said }) => (
              <li key={source}>
                <strong>{source}</strong> {said}
              </li>
            ))}
          </ul>
        )}
        <Reasons reasons={reasons} />
        {alternatives.length > 0 && (
          <ul className={styles.candidates} aria-label="What was not decided">
            {alternatives.map(({ outcome, reason }) => (
              <li key={outcome}>
                not <strong>{outcome}</strong>: {reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
});

function Reasons({ reasons }: { readonly reasons: StoryLine['reasons'] }) {
  if (reasons.length === 0) return null;
  return (
    <ul className={styles.candidates} aria-label="Rules that were applied">
      {reasons.map(({ rule, outcome, detail, figures }) => (
        <li key={rule}>
          <strong>{rule}</strong> {outcome}: {detail}
          <Figures figures={figures} />
        </li>
      ))}
    </ul>
  );
}

function Candidate({ candidate }: { readonly candidate: StoryCandidate }) {
  const { verdict, placement, price, reason, state, source, ageMs } = candidate;
  return (
    <li data-verdict={verdict}>
      <strong>{placementText(placement)}</strong> {verdict}: {reason}
      <span className={styles.evidence}>
        {state} says {source}
        {ageMs === null ? '' : `, ${durationText(ageMs)} old`}
        {price === null
          ? ' · price unknown'
          : ` · ${moneyText(machineAmount(price, placement), price.currency)}/h ${price.kind}`}
      </span>
    </li>
  );
}
