import { Stack, Title } from '@mantine/core';
import { CostReport } from './cost-report.js';

export default function Cost() {
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        Cost
      </Title>
      <CostReport query={{}} by="deployment" />
    </Stack>
  );
}
