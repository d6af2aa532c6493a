import { Alert, Button, Group, List, Modal, Stack, Text, Title } from '@mantine/core';
import type { IntentAnswer } from '@davit/contracts';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/http.js';

/** Asks before something is changed, and tells what it would lead to. */
export function Confirm({
  title,
  verb,
  danger = false,
  wide = false,
  ready = true,
  intent,
  body,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button says. */
  readonly verb: string;
  readonly danger?: boolean;
  /** Room for a table. */
  readonly wide?: boolean;
  /** Whether all that is needed was filled in. */
  readonly ready?: boolean;
  readonly intent: UseMutationResult<IntentAnswer, Error, object>;
  readonly body: object;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const send = (): void => intent.mutate(body, { onSuccess: onClose });
  return (
    <Modal
      opened
      onClose={onClose}
      size={wide ? 820 : 'lg'}
      styles={{ content: { background: 'var(--surface)' }, header: { background: 'var(--surface)' } }}
      title={
        <Title order={2} size="md">
          {title}
        </Title>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        {children}
        {intent.error !== null && <Refusal error={intent.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Leave it
          </Button>
          <Button {...(danger ? { color: 'red' } : {})} loading={intent.isPending} disabled={!ready} onClick={send}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** What was wrong, field by field where it is told so. */
export function Refusal({ error }: { readonly error: Error }) {
  const errors = error instanceof ApiError ? error.errors : [];
  return (
    <Alert color="red" variant="light" role="alert" title="It was not accepted">
      {errors.length === 0 ? (
        <Text size="sm">{error.message}</Text>
      ) : (
        <List size="sm" spacing={6}>
          {errors.map(({ path, message, remedy }) => (
            <List.Item key={`${path} ${message}`}>
              {path !== '' && <code>{path}</code>} {message}. {remedy}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
