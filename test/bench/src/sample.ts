import type { AppendContext, EventLog } from '@davit/event-log';

/** About half a kilobyte, as most events are. */
export const sampleData = {
  alarm: 'bench',
  severity: 'warning',
  about: 'bench/qwen3-8b-1-0-1',
  detail: 'x'.repeat(400),
} as const;

const event = { type: 'davit.fleet.alarm-raised', data: sampleData } as const;
const context: AppendContext = { tenant: 'default', service: 'bench', correlationId: 'bench' };

/** Appends one event to one of many streams, at the version that its only writer knows. */
export function appender(log: EventLog, writer: string): () => Promise<number> {
  const versions = Array.from({ length: 64 }, () => 0);
  let turn = 0;
  return async () => {
    const index = turn++ % versions.length;
    const expectedVersion = versions[index] ?? 0;
    versions[index] = expectedVersion + 1;
    const result = await log.append(
      [{ stream: `fleet/${writer}-${index}`, expectedVersion, events: [event] }],
      context,
    );
    if (result.outcome !== 'appended') throw new Error(`the append ended in ${result.outcome}`);
    return result.events[0]?.position ?? 0;
  };
}
