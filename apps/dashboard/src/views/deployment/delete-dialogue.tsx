import { List, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useIntent } from '../../live/intent.js';
import { useRoutes } from '../../live/queries.js';
import { Confirm } from '../../parts/confirm.js';
import { shortId } from '../replica-columns.js';
import { spendOf, spendText } from '../fleet/spend.js';
import type { DialogueProps } from './pause-dialogue.js';

/** Tells what would go before anything does. */
export function DeleteDialogue({ deployment: { name, tenant, replicas }, onClose }: DialogueProps) {
  const [key] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState('');
  const intent = useIntent('deployment', 'delete', key);
  const id = `${tenant}/${name}`;
  const aliases = (useRoutes().data?.items ?? [])
    .filter(({ targets }) => targets.some(({ deployment }) => deployment === id))
    .map(({ alias }) => alias);
  return (
    <Confirm
      title={`Delete ${id}`}
      verb="Delete"
      danger
      ready={typed === name}
      intent={intent}
      body={{ name, tenant }}
      onClose={onClose}
    >
      <div>
        <Text size="sm" mb={6}>
          What would happen, in this order:
        </Text>
        <List size="sm" type="ordered" spacing={4}>
          <List.Item>
            {aliases.length === 0 ? 'It has no route to withdraw.' : `Its routes are withdrawn: ${aliases.join(', ')}.`}
          </List.Item>
          <List.Item>Requests that run may finish, until the drain deadline.</List.Item>
          <List.Item>
            {replicas.length === 0
              ? 'It has no replica to delete.'
              : `${replicas.length} replicas are deleted: ${replicas
                  .slice(0, 8)
                  .map((replica) => shortId(replica.id))
                  .join(', ')}${replicas.length > 8 ? ' …' : ''}.`}
          </List.Item>
          <List.Item>
            Each is proven gone by its provider; until then it counts as billing. {spendText(spendOf(replicas))} an hour
            ends with it.
          </List.Item>
        </List>
      </div>
      <TextInput
        label={`Write ${name} to go on`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </Confirm>
  );
}
