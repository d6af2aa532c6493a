import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useIntent } from '../../live/intent.js';
import type { DeploymentDetail } from '../../live/queries.js';
import { Confirm } from '../../parts/confirm.js';

export interface DialogueProps {
  readonly deployment: DeploymentDetail;
  readonly onClose: () => void;
}

export function PauseDialogue({ deployment: { name, tenant, paused }, onClose }: DialogueProps) {
  const [key] = useState(() => crypto.randomUUID());
  const [reason, setReason] = useState('');
  const intent = useIntent('deployment', paused === null ? 'pause' : 'resume', key);
  if (paused !== null) {
    return (
      <Confirm title={`Resume ${name}`} verb="Resume" intent={intent} body={{ name, tenant }} onClose={onClose}>
        <Text size="sm">What is missing is started again, and what is too many is taken away.</Text>
      </Confirm>
    );
  }
  return (
    <Confirm
      title={`Pause ${name}`}
      verb="Pause"
      ready={reason.trim() !== ''}
      intent={intent}
      body={{ name, tenant, reason: reason.trim() }}
      onClose={onClose}
    >
      <Text size="sm">
        What serves goes on serving. Nothing is started, replaced or deleted until it is resumed: a replica that dies
        meanwhile is not healed. What is paid for goes on being paid for.
      </Text>
      <TextInput
        label="Reason"
        description="It stays in the log."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        required
        data-autofocus
      />
    </Confirm>
  );
}
