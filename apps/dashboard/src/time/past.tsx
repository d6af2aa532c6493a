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
            <strong>The past.</strong> This is how it was{' '}
            {/^\d+$/.test(at) ? `at position ${at}${typeof moment === 'number' ? `, ${exactText(moment)}` : ''}` : null}
            {!/^\d+$/.test(at) && (typeof moment === 'number' ? `at ${exactText(moment)}` : `at “${at}”`)}. Nothing can
            be changed from here.
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
