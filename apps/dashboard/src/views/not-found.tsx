import { Stack, Title } from '@mantine/core';
import { Empty, Panel } from '../parts/panel.js';
import { PageLink } from '../parts/link.js';

export function NotFound() {
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        Nothing is here
      </Title>
      <Panel title="This address leads nowhere">
        <Empty title="It may be of another release">
          <PageLink to="/">Back to the fleet</PageLink>
        </Empty>
      </Panel>
    </Stack>
  );
}
