import type { FleetView } from '@davit/contracts';
import { Alert } from '@mantine/core';
import { Ago } from '../../parts/time.js';

/** Too many died at once: nothing more is given up on observation alone. */
export function Frozen({ frozen }: { readonly frozen: NonNullable<FleetView['frozen']> }) {
  return (
    <Alert color="red" title="The fleet is frozen" role="alert">
      {frozen.detail} It was frozen <Ago at={frozen.since} />; a thaw is ordered with <code>davit thaw --reason …</code>
    </Alert>
  );
}
