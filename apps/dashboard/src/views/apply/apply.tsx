import type { FieldProblem, IntentAnswer, PlanView } from '@davit/contracts';
import { Alert, Button, FileButton, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { ApiError, ask, post } from '../../api/http.js';
import { PageLink } from '../../parts/link.js';
import { Refusal } from '../../parts/confirm.js';
import { Panel } from '../../parts/panel.js';
import { useAt } from '../../time/at.js';
import styles from './apply.module.css';
import { readManifest } from './manifest.js';
import { Plan } from './plan.js';

interface Planned {
  readonly text: string;
  readonly manifest: unknown;
  readonly plan: PlanView;
  readonly key: string;
}

/** Takes a specification, tells what applying it would do, and applies it when that was read. */
export default function Apply() {
  const past = useAt() !== undefined;
  const [text, setText] = useState('');
  const [over, setOver] = useState(false);
  const plan = useMutation({ mutationFn: planOf });
  const apply = useMutation({
    mutationFn: ({ manifest, key }: Planned) =>
      ask<IntentAnswer>('/v1/intents/deployment/apply', {
        method: 'POST',
        body: JSON.stringify(manifest),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }),
  });
  const planned = plan.data?.text === text ? plan.data : undefined;
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Whoever asked for a plan reads on there, also where it was refused.
    if (planned || plan.error) told.current?.focus();
  }, [planned, plan.error]);
  const change = (next: string): void => {
    setText(next);
    apply.reset();
    plan.reset();
  };
  const take = (file: File | null | undefined): void => {
    if (file) void file.text().then(change);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        Apply a specification
      </Title>
      {past && (
        <Alert color="yellow" variant="light">
          The past cannot be changed: go back to live first.
        </Alert>
      )}
      <Panel
        title="Specification"
        aside={
          <FileButton onChange={take} accept=".yaml,.yml,.json">
            {(props) => (
              <Button {...props} size="compact-sm" variant="default">
                Open a file
              </Button>
            )}
          </FileButton>
        }
      >
        <div
          className={styles.drop}
          data-over={over || undefined}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <Textarea
            aria-label="Specification as YAML or JSON"
            placeholder="Paste a specification here, or drop its file."
            value={text}
            onChange={(event) => change(event.currentTarget.value)}
            autosize
            minRows={12}
            maxRows={28}
            spellCheck={false}
            classNames={{ input: styles.text }}
          />
        </div>
        <Group p="sm" justify="flex-end" gap="sm">
          <Text size="xs" c="dimmed">
            Planning changes nothing.
          </Text>
          <Button
            variant={planned ? 'default' : 'filled'}
            loading={plan.isPending}
            disabled={past || text.trim() === ''}
            onClick={() => plan.mutate(text)}
          >
            Plan
          </Button>
        </Group>
      </Panel>
      <div ref={told} tabIndex={-1} className={styles.told}>
        {plan.error !== null && <Refusal error={plan.error} />}
        {planned && (
          <Panel title={`Plan for ${planned.plan.deployment}`}>
            <Plan plan={planned.plan} />
            <Group p="sm" justify="flex-end">
              <Button
                disabled={past || planned.plan.change === 'none' || apply.isSuccess}
                loading={apply.isPending}
                onClick={() => apply.mutate(planned)}
              >
                Apply this
              </Button>
            </Group>
          </Panel>
        )}
      </div>
      {apply.error !== null && <Refusal error={apply.error} />}
      {apply.data?.outcome === 'accepted' && planned && (
        <Alert color="teal" variant="light" title="Accepted" role="status">
          It is in the log at position {apply.data.position}.{' '}
          <PageLink to={`/deployments/${planned.plan.deployment}`}>Watch {planned.plan.deployment} come up</PageLink>
        </Alert>
      )}
    </Stack>
  );
}

/** @throws {ApiError} with what is wrong field by field */
async function planOf(text: string): Promise<Planned> {
  const read = readManifest(text);
  if (!read.ok) throw new ApiError(422, 'invalid-yaml', toldOf(read.problems), read.problems);
  const plan = await post<PlanView>('/v1/plan', read.manifest);
  return { text, manifest: read.manifest, plan, key: crypto.randomUUID() };
}

const toldOf = (problems: readonly FieldProblem[]): string => problems.map(({ message }) => message).join('; ');
