import { Drawer, Title } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSetParameters } from '../time/at.js';
import { Story } from './story.js';

/** The story of what was pointed at, beside the page; the address holds what it is about. */
export function ExplainDrawer() {
  const [parameters] = useSearchParams();
  const set = useSetParameters();
  const about = parameters.get('explain');
  // While it closes it still shows what it was about.
  const [last, setLast] = useState(about);
  if (about !== null && about !== last) setLast(about);
  return (
    <Drawer
      opened={about !== null}
      onClose={() => set({ explain: null })}
      position="right"
      size={640}
      styles={{ content: { background: 'var(--surface)' }, header: { background: 'var(--surface)' } }}
      title={
        <Title order={2} size="md">
          Why · {nameOf(last ?? '')}
        </Title>
      }
      closeButtonProps={{ 'aria-label': 'Close the explanation' }}
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      {last !== null && <Story about={last} key={last} />}
    </Drawer>
  );
}

/** `replicas/default/qwen-1-0-1` → `default/qwen-1-0-1`; `alarms?alarm=a&about=b` → `a b`, `budgets/default?deployment=qwen` → `default qwen`. */
function nameOf(about: string): string {
  const [path = '', search] = about.split('?');
  const name = path.includes('/') ? [decodeURIComponent(path.slice(path.indexOf('/') + 1))] : [];
  return [...name, ...new URLSearchParams(search).values()].join(' ');
}
