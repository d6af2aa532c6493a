import { Stack } from '@mantine/core';
import { useDeployments, useReplicas } from '../../live/queries.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { DeploymentsTable } from './deployments-table.js';

/** The fleet at a glance. */
export function FleetView() {
  const deployments = useDeployments();
  const replicas = useReplicas();
  return (
    <Stack gap="md">
      <Panel title="Deployments">
        <Answered answer={deployments} lines={4}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="Nothing is deployed yet">
                Apply a specification here, or with <code>davit apply -f qwen.yaml</code>.
              </Empty>
            ) : (
              <DeploymentsTable deployments={items} replicas={replicas.data?.items ?? []} />
            )
          }
        </Answered>
      </Panel>
    </Stack>
  );
}
