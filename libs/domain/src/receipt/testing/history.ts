import {
  type EventData,
  type EventType,
  type NewEvent,
  type RecordedEvent,
  dataSchemaOf,
  eventDefinition,
  parseRecordedEvent,
} from '@davit/contracts';

const START_MS = 1_800_000_000_000;

/** Events as a log would hold them, a minute apart unless told otherwise. */
export class History {
  readonly events: RecordedEvent[] = [];
  private nowMs = START_MS;
  private readonly versions = new Map<string, number>();

  constructor(private readonly rolloutId: string) {}

  /** Milliseconds since the epoch of the next event. */
  get atMs(): number {
    return this.nowMs;
  }

  pass(ms: number): void {
    this.nowMs += ms;
  }

  own<Type extends EventType & `davit.rollout.${string}`>(
    type: Type,
    data: Omit<EventData<Type>, 'rolloutId'>,
  ): string {
    // The field that every event of a rollout has is put back.
    const event = { type, data: { rolloutId: this.rolloutId, ...data } } as unknown as NewEvent;
    return this.write(`rollout/${this.rolloutId}`, event);
  }

  write(stream: string, { type, data }: NewEvent): string {
    const definition = eventDefinition(type);
    if (!definition) throw new Error(type);
    const version = (this.versions.get(stream) ?? 0) + 1;
    this.versions.set(stream, version);
    // Positions of a real log are shared with other streams.
    const position = 100 + 3 * this.events.length;
    const id = `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`;
    this.events.push(
      parseRecordedEvent({
        ...{
          specversion: '1.0',
          id,
          source: '/davit/vast-serverless',
          type,
          subject: stream.slice(stream.indexOf('/') + 1),
        },
        ...{ time: new Date(this.nowMs).toISOString(), dataschema: dataSchemaOf(definition), tenant: 'default' },
        ...{ stream, version, position, data },
      }),
    );
    this.nowMs += 60_000;
    return id;
  }
}
