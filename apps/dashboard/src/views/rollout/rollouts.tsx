import type { RolloutObjectives, RolloutView } from '@davit/contracts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useEvents } from '../../live/events-query.js';
import { useRollouts } from '../../live/queries.js';
import { ExplainLink } from '../../parts/link.js';
import { Mark } from '../../parts/mark.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { Ago, Lasting } from '../../parts/time.js';
import { useAt } from '../../time/at.js';
import { evidenceOf } from './evidence.js';
import { Phases, toneOfRollout } from './phases.js';
import styles from './rollout.module.css';
import { SloCharts } from './slo-charts.js';
import { Verdicts } from './verdicts.js';
import { type Word, WordDialogue } from './word-dialogue.js';

interface OfDeployment {
  readonly id: string;
  readonly objectives: RolloutObjectives | undefined;
}

/** How candidates of a deployment prove themselves, the latest first. */
export function Rollouts({ id, objectives }: OfDeployment) {
  const rollouts = useRollouts({ deployment: id, all: true });
  const events = useEvents({ deployment: id, category: 'rollout' }, ['rollout']);
  return (
    <Answered answer={rollouts} lines={6}>
      {({ items }) =>
        items.length === 0 ? (
          <Panel title="Rollouts">
            <Empty title="No rollout on evidence">
              With <code>spec.rollout.strategy: evidence</code> each new revision proves itself here before it serves.
            </Empty>
          </Panel>
        ) : (
          <Stack gap="md">
            {items
              .toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
              .map((rollout) => (
                <Rollout key={rollout.id} rollout={rollout} events={events.data?.items ?? []} objectives={objectives} />
              ))}
          </Stack>
        )
      }
    </Answered>
  );
}

function Rollout({
  rollout,
  events,
  objectives,
}: {
  readonly rollout: RolloutView;
  readonly events: Parameters<typeof evidenceOf>[0];
  readonly objectives: RolloutObjectives | undefined;
}) {
  const evidence = useMemo(() => evidenceOf(events, rollout.id), [events, rollout.id]);
  const { waiting, workers, outcome, revision, fromRevision } = rollout;
  return (
    <Panel
      title={`${rollout.id}: revision ${fromRevision} → ${revision}`}
      aside={
        <Group gap="md">
          <ExplainLink about={`verdicts/${rollout.id}`}>Why?</ExplainLink>
          <Mark tone={toneOfRollout(rollout)}>{(outcome ?? rollout.phase).replaceAll('-', ' ')}</Mark>
          <Text size="xs" c="dimmed">
            <Lasting since={rollout.since} />
          </Text>
        </Group>
      }
    >
      <div className={styles.body}>
        {(outcome === null || outcome === 'accepted') && <Phases rollout={rollout} />}
        <Text size="sm">{rollout.why}</Text>
        {waiting !== null && (
          <Text size="sm">
            It waits for a word; without one it is withdrawn <Ago at={waiting.deadlineAt} />.
          </Text>
        )}
        {outcome === null && <Words rollout={rollout} evidence={evidence} />}
        <Verdicts evidence={evidence} />
        <SloCharts evidence={evidence} objectives={objectives} />
        {workers.length > 0 && (
          <Group gap="md">
            {workers.map(({ workerId, status, on }) => (
              <Mark key={workerId} tone={on === 'candidate' ? 'good' : on === 'old' ? 'progress' : 'unknown'}>
                worker {workerId}: {on}, {status}
              </Mark>
            ))}
          </Group>
        )}
      </div>
    </Panel>
  );
}

function Words({
  rollout,
  evidence,
}: {
  readonly rollout: RolloutView;
  readonly evidence: ReturnType<typeof evidenceOf>;
}) {
  const [open, setOpen] = useState<Word | undefined>();
  const past = useAt() !== undefined;
  const waits = rollout.waiting !== null;
  return (
    <Group gap="xs">
      {waits && (
        <>
          <Button size="xs" disabled={past} onClick={() => setOpen('approve')}>
            Approve …
          </Button>
          <Button size="xs" variant="default" disabled={past} onClick={() => setOpen('reject')}>
            Reject …
          </Button>
        </>
      )}
      <Button size="xs" variant="default" disabled={past} onClick={() => setOpen('abort')}>
        Abort …
      </Button>
      {open !== undefined && (
        <WordDialogue word={open} rollout={rollout} evidence={evidence} onClose={() => setOpen(undefined)} />
      )}
    </Group>
  );
}
