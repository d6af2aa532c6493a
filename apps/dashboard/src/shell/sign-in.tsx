import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { authorization, session } from '../api/session.js';
import styles from './shell.module.css';

/** Asks for a key where the server wants one. It is tried before it is kept. */
export function SignIn() {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const enter = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(await refusalOf(key.trim()));
    setBusy(false);
  };
  return (
    <main className={styles.signIn}>
      <Paper withBorder p="xl" radius="md" w={400} maw="100%" component="form" onSubmit={(event) => void enter(event)}>
        <Stack gap="md">
          <div>
            <Title order={1} size="lg">
              Sign in to Davit
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              This server answers only to those it knows. An administrator makes a key with{' '}
              <code>davit keys create</code>.
            </Text>
          </div>
          <PasswordInput
            label="API key"
            description="Kept in this tab until it is closed, and sent to this server alone."
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            autoComplete="off"
            autoFocus
            required
          />
          {problem !== null && (
            <Alert color="red" variant="light" role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={busy} disabled={key.trim() === ''}>
            Sign in
          </Button>
        </Stack>
      </Paper>
    </main>
  );
}

/** Null when the server takes the key, which is kept then. */
async function refusalOf(key: string): Promise<string | null> {
  try {
    const response = await fetch('/v1/fleet', { headers: { accept: 'application/json', ...authorization(key) } });
    if (response.status === 401) return 'The server does not know this key. It may be revoked, or not copied whole.';
    if (!response.ok && response.status !== 403)
      return `The server answered ${response.status}. Try again in a moment.`;
  } catch {
    return 'The server does not answer. Try again in a moment.';
  }
  session.enter(key);
  return null;
}
