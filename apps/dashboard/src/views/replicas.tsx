import type { ReplicaView } from '@davit/contracts';
import { Text } from '@mantine/core';
import { useReplicas } from '../live/queries.js';
import { Answered, Empty, Panel } from '../parts/panel.js';
import { DataTable } from '../parts/table.js';
import { REPLICA_COLUMNS } from './replica-columns.js';

const keyOf = ({ id }: ReplicaView): string => id;

export default function Replicas() {
  const replicas = useReplicas();
  return (
    <Panel title="Replicas" aside={<Text size="xs">{replicas.data?.items.length ?? ''}</Text>}>
      <Answered answer={replicas} lines={8}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No replica runs">They appear as soon as a deployment asks for one.</Empty>
          ) : (
            <DataTable
              label="Replicas"
              rows={items}
              columns={REPLICA_COLUMNS}
              keyOf={keyOf}
              maxHeight="calc(100vh - 190px)"
            />
          )
        }
      </Answered>
    </Panel>
  );
}
