import { Stack, Title } from '@mantine/core';
import { useRoutes } from '../live/queries.js';
import { Answered, Panel } from '../parts/panel.js';
import { RoutesTable } from './deployment/routes-panel.js';

export default function RoutesView() {
  const routes = useRoutes();
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        Routes
      </Title>
      <Panel title={routes.data ? `${routes.data.items.length} aliases` : 'Aliases'}>
        <Answered answer={routes} lines={6}>
          {({ items }) => <RoutesTable routes={items} maxHeight="calc(100vh - 250px)" />}
        </Answered>
      </Panel>
    </Stack>
  );
}
