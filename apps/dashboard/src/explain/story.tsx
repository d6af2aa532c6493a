import type { ExplainView } from '@davit/contracts';
import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../live/queries.js';
import { ExplainLink } from '../parts/link.js';
import { Answered, Empty } from '../parts/panel.js';
import { StoryLineItem } from './line.js';
import styles from './story.module.css';

const FOLLOWS = ['replica', 'resource', 'runtime', 'route', 'capacity', 'deployment', 'rollout', 'endpoint'];
const LINES = 200;

/** How it came to what is now, from the user's intent on. */
export function Story({ about }: { readonly about: string }) {
  const [limit, setLimit] = useState(LINES);
  const [path = '', search = ''] = about.split('?');
  const which = Object.fromEntries(new URLSearchParams(search));
  const answer = useAnswer<ExplainView>(`/v1/explain/${path}`, { ...which, limit }, FOLLOWS);
  return (
    <Answered answer={answer} lines={10}>
      {(story) => (
        <Stack gap="md">
          <Text className={styles.now}>{story.now}</Text>
          {story.predecessors.length > 0 && (
            <Text size="sm" c="dimmed">
              Before it:{' '}
              {story.predecessors.map((id, index) => (
                <span key={id}>
                  {index > 0 && ', '}
                  <ExplainLink about={`replicas/${id}`}>{id}</ExplainLink>
                </span>
              ))}
            </Text>
          )}
          {(!story.complete || story.gaps.length > 0) && <Gaps complete={story.complete} gaps={story.gaps} />}
          {story.lines.length === 0 ? (
            <Empty title="The log tells nothing of it" />
          ) : (
            <ol className={styles.lines}>
              {story.lines.map((line) => (
                <StoryLineItem key={line.position} line={line} about={story.about.name} />
              ))}
            </ol>
          )}
          {story.next !== null && (
            <Button variant="default" size="xs" onClick={() => setLimit(Math.min(1_000, limit + 2 * LINES))}>
              More of the story
            </Button>
          )}
          <Text size="xs" c="dimmed">
            {story.complete ? 'Every step back to the intent is in the log.' : ''} Read up to position {story.position}.
          </Text>
        </Stack>
      )}
    </Answered>
  );
}

function Gaps({ complete, gaps }: { readonly complete: boolean; readonly gaps: readonly string[] }) {
  return (
    <Alert
      color={complete ? 'gray' : 'yellow'}
      variant="light"
      title={complete ? 'What the log leaves out' : 'Steps are missing'}
    >
      <List size="sm">
        {gaps.map((gap) => (
          <List.Item key={gap}>{gap}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
