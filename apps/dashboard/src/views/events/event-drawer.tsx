import { Anchor, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { get } from '../../api/http.js';
import { exactText } from '../../format/time.js';
import { ExplainLink } from '../../parts/link.js';
import { MomentLink } from '../../parts/moment-link.js';
import { Answered, Empty } from '../../parts/panel.js';
import { useSetParameters } from '../../time/at.js';
import type { EventPage } from '../../time/moment.js';
import styles from './events.module.css';

export function EventLink({ position }: { readonly position: number }) {
  const [parameters] = useSearchParams();
  const next = new URLSearchParams(parameters);
  next.set('event', String(position));
  return (
    <Anchor component={Link} to={{ search: next.toString() }} inherit>
      {position}
    </Anchor>
  );
}

/** One event, whole; the address holds its position. */
export function EventDrawer() {
  const [parameters] = useSearchParams();
  const set = useSetParameters();
  const position = Number(parameters.get('event') ?? 0);
  const answer = useQuery({
    queryKey: ['event', position],
    queryFn: ({ signal }) => get<EventPage>('/v1/events', { after: position - 1, limit: 1 }, signal),
    enabled: position > 0,
  });
  return (
    <Drawer
      opened={position > 0}
      onClose={() => set({ event: null })}
      position="right"
      size={640}
      styles={{ content: { background: 'var(--surface)' }, header: { background: 'var(--surface)' } }}
      title={
        <Title order={2} size="md">
          Event {position}
        </Title>
      }
      closeButtonProps={{ 'aria-label': 'Close the event' }}
    >
      <Answered answer={answer} lines={10}>
        {({ items: [event] }) =>
          event === undefined ? (
            <Empty title="There is no such event" />
          ) : (
            <Stack gap="sm">
              <Text fw={600}>{event.type}</Text>
              <Text size="sm" c="dimmed">
                {exactText(Date.parse(event.time))} · written by {event.source.replace('/davit/', '')}
                {event.actor === undefined ? '' : ` · asked for by ${event.actor}`}
              </Text>
              <Group gap="lg">
                <span>
                  See the page at <MomentLink position={event.position} />
                </span>
                {'replicaId' in event.data && (
                  <ExplainLink about={`replicas/${String(event.data.replicaId)}`}>Explain the replica</ExplainLink>
                )}
              </Group>
              <pre className={styles.json} tabIndex={0} aria-label="Event as JSON">
                {JSON.stringify(event, null, 2)}
              </pre>
            </Stack>
          )
        }
      </Answered>
    </Drawer>
  );
}
