import { NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useIntent } from '../../live/intent.js';
import { Confirm } from '../../parts/confirm.js';
import { spendOf, spendText } from '../fleet/spend.js';
import type { DialogueProps } from './pause-dialogue.js';

export function ScaleDialogue({ deployment, onClose }: DialogueProps) {
  const { name, tenant, desiredReplicas, replicas } = deployment;
  const [key] = useState(() => crypto.randomUUID());
  const [wanted, setWanted] = useState<string | number>(desiredReplicas);
  const intent = useIntent('deployment', 'scale', key);
  const change = typeof wanted === 'number' ? wanted - desiredReplicas : 0;
  return (
    <Confirm
      title={`Scale ${name}`}
      verb="Scale"
      ready={typeof wanted === 'number' && change !== 0}
      intent={intent}
      body={{ name, tenant, replicas: wanted }}
      onClose={onClose}
    >
      <NumberInput
        label="Replicas"
        value={wanted}
        onChange={setWanted}
        min={0}
        max={1_000}
        allowDecimal={false}
        data-autofocus
      />
      <Text size="sm">
        {change === 0 ? `It has ${desiredReplicas}, for ${spendText(spendOf(replicas))} an hour.` : whatFollows(change)}
      </Text>
    </Confirm>
  );
}

/** What becomes of so many replicas more, or fewer. */
function whatFollows(change: number): string {
  if (change === 1) return 'One more is placed as the specification says; it serves once it has proved that it can.';
  if (change > 0)
    return `${change} more are placed as the specification says; they serve once they have proved that they can.`;
  if (change === -1) return 'One is drained, deleted, and proven gone. Its requests may finish.';
  return `${-change} are drained, deleted, and proven gone. Their requests may finish.`;
}
