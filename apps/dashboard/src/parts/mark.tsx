import type { ReactNode } from 'react';
import type { Tone } from '../words/states.js';
import styles from './mark.module.css';

const FORMS: Readonly<Record<Tone, ReactNode>> = {
  good: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  progress: (
    <path
      d="M6 1.5a4.5 4.5 0 0 1 0 9z M6 1.5a4.5 4.5 0 0 0 0 9"
      fill="currentColor"
      stroke="currentColor"
      fillRule="evenodd"
      fillOpacity="0.35"
    />
  ),
  waiting: (
    <circle cx="6" cy="6" r="3.75" fill="none" stroke="currentColor" strokeWidth="1.75" strokeDasharray="2.4 1.5" />
  ),
  ending: <rect x="2" y="2" width="8" height="8" rx="1.5" fill="none" stroke="currentColor" strokeWidth="1.75" />,
  bad: <path d="M6 1 11.2 10.5H.8z" fill="currentColor" />,
  gone: <path d="M2 6h8" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />,
  unknown: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />,
};

/** A state: its word, and before it a sign whose form and colour say how it is to be taken. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={styles.mark} data-tone={tone}>
      <Sign tone={tone} />
      <span>{children}</span>
    </span>
  );
}

export function Sign({ tone }: { readonly tone: Tone }) {
  return (
    <svg className={styles.sign} data-tone={tone} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {FORMS[tone]}
    </svg>
  );
}
