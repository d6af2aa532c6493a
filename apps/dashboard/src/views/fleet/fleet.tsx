import { Button, Group, Stack, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useAlarms, useBudgets, useDeployments, useFleet, useOrphans, useReplicas } from '../../live/queries.js';
import { PageLink, usePlace } from '../../parts/link.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { useAt } from '../../time/at.js';
import { Alarms } from './alarms.js';
import { Budgets } from './budgets.js';
import { DeploymentsTable } from './deployments-table.js';
import { Frozen } from './frozen.js';
import { Numbers } from './numbers.js';
import { Orphans } from './orphans.js';
import { ReplicasByState } from './replicas-by-state.js';
import { Waits } from './waits.js';
import styles from './fleet.module.css';

/** The fleet at a glance. */
export function FleetView() {
  const deployments = useDeployments();
  const replicas = useReplicas();
  const alarms = useAlarms();
  const budgets = useBudgets();
  const orphans = useOrphans();
  const fleet = useFleet();
  const place = usePlace();
  const past = useAt() !== undefined;
  const rows = replicas.data?.items ?? [];
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1} size="h3">
          Fleet
        </Title>
        {!past && (
          <Button component={Link} to={place('/apply')} size="xs">
            Apply a spec
          </Button>
        )}
      </Group>
      {fleet.data?.frozen && <Frozen frozen={fleet.data.frozen} />}
      <Numbers deployments={deployments} replicas={replicas} alarms={alarms} budgets={budgets} />
      <Panel title="Replicas by state">
        <Answered answer={replicas} lines={2}>
          {({ items }) => <ReplicasByState replicas={items} />}
        </Answered>
      </Panel>
      <Panel title="Deployments">
        <Answered answer={deployments} lines={4}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={past ? 'Nothing was deployed then' : 'Nothing is deployed yet'}>
                {!past && (
                  <>
                    <PageLink to="/apply">Apply a specification</PageLink> here, or with{' '}
                    <code>npx davit apply -f qwen.yaml</code>.
                  </>
                )}
              </Empty>
            ) : (
              <DeploymentsTable deployments={items} replicas={rows} />
            )
          }
        </Answered>
      </Panel>
      <div className={styles.columns}>
        <Panel title="Waiting">
          <Answered answer={replicas}>{({ items }) => <Waits replicas={items} />}</Answered>
        </Panel>
        <Panel title="Alarms">
          <Answered answer={alarms}>{({ items }) => <Alarms alarms={items} />}</Answered>
        </Panel>
        <Panel title="Orphans">
          <Answered answer={orphans}>{({ items }) => <Orphans orphans={items} />}</Answered>
        </Panel>
        <Panel title="Budgets">
          <Answered answer={budgets}>{({ items }) => <Budgets budgets={items} />}</Answered>
        </Panel>
      </div>
    </Stack>
  );
}
