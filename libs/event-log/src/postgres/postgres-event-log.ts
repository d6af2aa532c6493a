import { type Envelope, type RecordedEvent, envelope, parseRecordedEvent } from '@davit/contracts';
import { type Ids, systemIds } from '@davit/ports';
import { z } from 'zod';
import { GroupCommit } from '../append/group-commit.js';
import { type PreparedAppend, prepareAppend } from '../append/prepare.js';
import { recordedEvents } from '../append/record.js';
import type { AppendContext, AppendResult, EventLog, StreamPart, StreamWrite } from '../event-log.js';
import { type AppendAnswer, appendGroup } from './append.js';
import { asLogFault, rolledBack } from './faults.js';
import type { Queryable } from './queryable.js';
import { EVENT_COLUMNS, bigintColumn, envelopeCandidates } from './rows.js';

export interface PostgresEventLogOptions {
  readonly ids?: Ids;
  /** Called after each commit that added events; must neither block nor throw. See `natsPoke`. */
  readonly poke?: () => void;
  /** Appends that may share one commit. Default 256. */
  readonly maxGroup?: number;
}

const MAX_GROUP_BYTES = 4 * 1024 * 1024;
const headRows = z.tuple([z.object({ position: bigintColumn })]);

/** The event log in PostgreSQL. Appends of one process that meet share a commit and keep their order. */
export class PostgresEventLog implements EventLog {
  private readonly groups: GroupCommit<PreparedAppend, AppendAnswer>;
  private readonly ids: Ids;

  constructor(
    private readonly database: Queryable,
    private readonly options: PostgresEventLogOptions = {},
  ) {
    this.ids = options.ids ?? systemIds;
    this.groups = new GroupCommit(
      (appends) => this.commit(appends),
      { maxItems: options.maxGroup ?? 256, maxWeight: MAX_GROUP_BYTES },
      rolledBack,
    );
  }

  async append(writes: readonly [StreamWrite, ...StreamWrite[]], context: AppendContext): Promise<AppendResult> {
    const append = prepareAppend(writes, context, this.ids);
    const answer = await this.groups.submit(append, append.bytes);
    return this.toResult(append, answer);
  }

  async readStream(stream: string, afterVersion = 0, part?: StreamPart): Promise<readonly RecordedEvent[]> {
    const wanted = `select ${EVENT_COLUMNS} from log.events where stream = $1 and version > $2`;
    const rows = part
      ? await this.database.query(`${wanted} and type <> all($3::text[]) order by version limit $4`, [
          stream,
          afterVersion,
          part.without ?? [],
          part.limit,
        ])
      : await this.database.query(`${wanted} order by version`, [stream, afterVersion]);
    return envelopeCandidates(rows).map(parseRecordedEvent);
  }

  async read(afterPosition: number, limit: number): Promise<readonly RecordedEvent[]> {
    return (await this.readRows(afterPosition, limit)).map(parseRecordedEvent);
  }

  /** As `read`, for those who pass events on without looking into them, and so need not know their types. */
  async readEnvelopes(afterPosition: number, limit: number): Promise<readonly Envelope[]> {
    return (await this.readRows(afterPosition, limit)).map((candidate) => envelope.parse(candidate));
  }

  async head(): Promise<number> {
    const [row] = headRows.parse(await this.database.query('select position from log.head'));
    return row.position;
  }

  private async readRows(afterPosition: number, limit: number): Promise<readonly unknown[]> {
    const rows = await this.database.query(
      `select ${EVENT_COLUMNS} from log.events where position > $1 order by position limit $2`,
      [afterPosition, limit],
    );
    return envelopeCandidates(rows);
  }

  private async commit(appends: readonly PreparedAppend[]): Promise<readonly AppendAnswer[]> {
    try {
      const answers = await appendGroup(this.database, appends);
      if (answers.some(({ outcome }) => outcome === 'appended')) this.options.poke?.();
      return answers;
    } catch (error) {
      throw asLogFault(error);
    }
  }

  private async toResult(append: PreparedAppend, answer: AppendAnswer): Promise<AppendResult> {
    const { lease, idempotency } = append.context;
    switch (answer.outcome) {
      case 'appended': {
        const { first, time, versions } = answer;
        return {
          outcome: 'appended',
          events: recordedEvents(append, { firstPosition: first, time, versionsBefore: versions }),
        };
      }
      case 'duplicate':
        return { outcome: 'duplicate', events: await this.read(answer.first - 1, answer.last - answer.first + 1) };
      case 'idempotency-conflict':
        return { outcome: 'idempotency-conflict', key: idempotency?.key ?? '' };
      case 'fenced':
        return { outcome: 'fenced', lease: lease?.name ?? '', epoch: lease?.epoch ?? 0 };
      case 'already-handled':
      case 'wrong-version':
        return answer;
    }
  }
}
