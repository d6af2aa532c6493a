import type { Tone } from '../words/states.js';
import styles from './meter.module.css';

/** How much of something is used: a bar with its figures beside it. */
export function Meter({
  label,
  share,
  tone,
  text,
}: {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
  readonly tone: Tone;
  readonly text: string;
}) {
  return (
    <span className={styles.meter}>
      <span
        className={styles.bar}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={text}
      >
        <span className={styles.fill} data-tone={tone} style={{ width: `${share * 100}%` }} />
      </span>
      <span className={styles.text}>{text}</span>
    </span>
  );
}
