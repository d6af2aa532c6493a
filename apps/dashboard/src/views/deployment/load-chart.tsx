import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useEvents } from '../../live/events-query.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { TimeChart } from '../../parts/time-chart.js';
import styles from './deployment.module.css';
import { loadsOf } from './loads.js';

/** Requests at its replicas, as their model servers say. */
export function LoadChart({ id }: { readonly id: string }) {
  const events = useEvents({ deployment: id, category: 'replica,runtime' }, ['replica', 'runtime']);
  const points = useMemo(() => loadsOf(events.data?.items ?? []), [events.data]);
  return (
    <Answered answer={events} lines={8}>
      {() =>
        points.length === 0 ? (
          <Panel title="Load">
            <Empty title="No replica has told its load yet">It is told when it changes, at most every 15 s.</Empty>
          </Panel>
        ) : (
          <Stack gap="md">
            <Panel title="Requests">
              <div className={styles.chart}>
                <TimeChart
                  label="Requests at all replicas"
                  points={points.map((point) => ({ ...point }))}
                  series={[
                    { name: 'running', label: 'running', color: 'var(--tone-progress)' },
                    { name: 'waiting', label: 'waiting', color: 'var(--tone-waiting)' },
                  ]}
                />
              </div>
            </Panel>
            <Panel title="Fullest key-value cache, % of its room">
              <div className={styles.chart}>
                <TimeChart
                  label="Fullest cache"
                  points={points.map((point) => ({ ...point }))}
                  series={[{ name: 'cache', label: 'used', color: 'var(--tone-ending)' }]}
                  unit=" %"
                />
              </div>
            </Panel>
          </Stack>
        )
      }
    </Answered>
  );
}
