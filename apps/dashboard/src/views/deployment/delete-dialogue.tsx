import type { DeletionPlan } from '@davit/contracts';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../api/http.js';
import { useIntent } from '../../live/intent.js';
import { Confirm } from '../../parts/confirm.js';
import { Answered } from '../../parts/panel.js';
import { DeletionTold } from './deletion-told.js';
import type { DialogueProps } from './pause-dialogue.js';

const FOLLOWS = ['deployment', 'replica', 'runtime', 'route', 'rollout'];

/**
 * Tells what would go before anything does, as the server plans it; what changes while it is read is shown. It deletes what was read: a later
 * order of somebody else is in the way of it.
 */
export function DeleteDialogue({ deployment: { name, tenant }, onClose }: DialogueProps) {
  const [key] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState('');
  const intent = useIntent('deployment', 'delete', key);
  const plan = useQuery({
    queryKey: ['plan-of-deletion', tenant, name, key],
    queryFn: () => post<DeletionPlan>('/v1/plan/delete', { name, tenant }),
    meta: { follows: FOLLOWS },
  });
  return (
    <Confirm
      title={`Delete ${tenant}/${name}`}
      verb="Delete"
      danger
      wide
      ready={plan.data !== undefined && typed === name}
      intent={intent}
      body={{ name, tenant, ifMatch: plan.data?.position }}
      onClose={onClose}
    >
      <Answered answer={plan} lines={6}>
        {(told) => <DeletionTold plan={told} />}
      </Answered>
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
