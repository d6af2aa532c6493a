import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactText } from '../format/time.js';
import { PageTime, useAt, useSetParameters } from './at.js';
import { useMoment } from './moment.js';
import styles from './past.module.css';

/** Tells what is below it which time it is on the page, and the reader when that is not now. */
export function PastOrNow({ children }: { readonly children: ReactNode }) {
  const at = useAt();
  const moment = useMoment();
  const set = useSetParameters();
  return (
    <PageTime value={at === undefined ? undefined : (moment ?? undefined)}>
      {at !== undefined && (
        <div className={styles.past} role="status">
          <span>
            <strong>The past.</strong> {whenText(at, moment)} Nothing can be changed from here.
          </span>
          <Button size="compact-sm" variant="default" onClick={() => set({ at: null })}>
            Back to live
          </Button>
        </div>
      )}
      {children}
    </PageTime>
  );
}

function whenText(at: string, moment: number | null | undefined): string {
  const when = typeof moment === 'number' ? exactText(moment) : null;
  if (/^\d+$/.test(at)) return `This is how it was at position ${at}${when === null ? '' : `, ${when}`}.`;
  return when === null ? `“${at}” in the address is neither a position nor a time.` : `This is how it was at ${when}.`;
}
