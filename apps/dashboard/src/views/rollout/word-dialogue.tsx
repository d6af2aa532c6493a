import type { RolloutView } from '@davit/contracts';
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useIntent } from '../../live/intent.js';
import { Confirm } from '../../parts/confirm.js';
import { moneyText } from '../../format/money.js';
import type { Evidence } from './evidence.js';

export type Word = 'approve' | 'reject' | 'abort';

const TOLD: Readonly<Record<Word, { readonly verb: string; readonly effect: string }>> = {
  approve: {
    verb: 'Approve',
    effect: 'Production is pointed at the candidate, and watched until a verdict is reached.',
  },
  reject: { verb: 'Reject', effect: 'Production is not touched; the canary is removed, and proven gone.' },
  abort: { verb: 'Abort', effect: 'It stops, however far it is: what production was changed to is taken back.' },
};

/** An operator's word on what a rollout has shown; it names exactly the evidence that was read. */
export function WordDialogue({
  word,
  rollout,
  evidence,
  onClose,
}: {
  readonly word: Word;
  readonly rollout: RolloutView;
  readonly evidence: Evidence;
  readonly onClose: () => void;
}) {
  const [key] = useState(() => crypto.randomUUID());
  const [reason, setReason] = useState('');
  // What was read when this was opened: evidence that changes meanwhile is not what was approved.
  const [digest] = useState(rollout.waiting?.evidenceDigest);
  const intent = useIntent('rollout', word, key);
  const { verb, effect } = TOLD[word];
  const { approval } = evidence;
  return (
    <Confirm
      title={`${verb} ${rollout.id}`}
      verb={verb}
      danger={word !== 'approve'}
      ready={reason.trim() !== ''}
      intent={intent}
      body={{
        rollout: rollout.id,
        reason: reason.trim(),
        ...(digest === undefined ? {} : { evidenceDigest: digest }),
      }}
      onClose={onClose}
    >
      <Text size="sm">{effect}</Text>
      {approval !== null && word === 'approve' && (
        <Text size="sm">
          From template {approval.from.templateId} to {approval.to.templateId}, with bounds{' '}
          {Object.entries(approval.bounds)
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')}
          {approval.worstCaseSpend === null
            ? '; what it may cost at most is not known'
            : `; at most ${moneyText(approval.worstCaseSpend.amount, approval.worstCaseSpend.currency)}`}
          .
        </Text>
      )}
      {digest !== undefined && (
        <Text size="xs" c="dimmed">
          Evidence <code>{digest.slice(0, 16)}…</code>
        </Text>
      )}
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
