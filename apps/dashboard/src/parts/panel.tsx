import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Ago } from './time.js';
import styles from './panel.module.css';

/** A part of a page with its name. */
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <Group justify="space-between" gap="xs" className={styles.head}>
        <Title order={2} size="sm" fw={600} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </section>
  );
}

/** Nothing is there, and that is an answer: what it means, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Text fw={500}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
      )}
    </div>
  );
}

/** What was asked, once it is there; until then its outline, and where it cannot be had, why. */
export function Answered<Answer>({
  answer,
  lines = 3,
  children,
}: {
  readonly answer: UseQueryResult<Answer>;
  readonly lines?: number;
  readonly children: (data: Answer) => ReactNode;
}) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = answer;
  if (data === undefined && error === null) return <Loading lines={lines} />;
  return (
    <>
      {error !== null && (
        <Alert color="red" variant="light" className={styles.alert} title="This could not be read" role="alert">
          <Stack gap={6} align="flex-start">
            <Text size="sm">
              {error.message}
              {data !== undefined && (
                <>
                  {' '}
                  What stands below was read <Ago at={dataUpdatedAt} />.
                </>
              )}
            </Text>
            <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
              Ask again
            </Button>
          </Stack>
        </Alert>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

export function Loading({ lines }: { readonly lines: number }) {
  return (
    <Stack gap={10} p="md" aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={12} width={`${92 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
