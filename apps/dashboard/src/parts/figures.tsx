import { exactText } from '../format/time.js';
import styles from './figures.module.css';

type Figure = number | string | null;

/** What a rule computed with, folded away: many, and for those who check it. */
export function Figures({ figures }: { readonly figures: Readonly<Record<string, Figure>> }) {
  const told = Object.entries(figures);
  if (told.length === 0) return null;
  return (
    <details className={styles.figures}>
      <summary>Figures</summary>
      {told.map(textOf).join(' · ')}
    </details>
  );
}

const textOf = ([name, value]: readonly [string, Figure]): string =>
  `${name} ${typeof value === 'number' && name.endsWith('AtMs') ? exactText(value) : (value ?? 'unknown')}`;
