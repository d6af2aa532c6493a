import { Button, Group, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { DeploymentDetail } from '../../live/queries.js';
import { useAt } from '../../time/at.js';
import { DeleteDialogue } from './delete-dialogue.js';
import { PauseDialogue } from './pause-dialogue.js';
import { ScaleDialogue } from './scale-dialogue.js';

type Dialogue = 'pause' | 'scale' | 'delete';

/** What may be asked for; nothing while the past is looked at. */
export function Actions({ deployment }: { readonly deployment: DeploymentDetail }) {
  const [open, setOpen] = useState<Dialogue | undefined>();
  const past = useAt() !== undefined;
  const gone = deployment.status !== 'active';
  const off = past || gone;
  const why = past ? 'The past cannot be changed' : `It is ${deployment.status}`;
  const close = (): void => setOpen(undefined);
  const button = (dialogue: Dialogue, text: string, color?: string) => (
    <Tooltip label={why} disabled={!off}>
      <Button
        size="xs"
        variant="default"
        {...(off || color === undefined ? {} : { c: color })}
        data-disabled={off}
        aria-disabled={off}
        onClick={() => !off && setOpen(dialogue)}
      >
        {text}
      </Button>
    </Tooltip>
  );
  return (
    <Group gap="xs">
      {button('scale', 'Scale …')}
      {button('pause', deployment.paused === null ? 'Pause …' : 'Resume …')}
      {button('delete', 'Delete …', 'var(--tone-bad)')}
      {open === 'scale' && <ScaleDialogue deployment={deployment} onClose={close} />}
      {open === 'pause' && <PauseDialogue deployment={deployment} onClose={close} />}
      {open === 'delete' && <DeleteDialogue deployment={deployment} onClose={close} />}
    </Group>
  );
}
