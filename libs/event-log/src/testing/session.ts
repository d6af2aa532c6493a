import pg from 'pg';
import { prepareAppend } from '../append/prepare.js';
import { systemIds } from '@davit/ports';
import { type AppendAnswer, appendGroup } from '../postgres/append.js';
import type { AppendContext } from '../event-log.js';
import { context, write } from './fixtures.js';

/** One database session under a test's hand: it can stay inside a transaction, or be killed in the middle of it. */
export class Session {
  private constructor(
    private readonly client: pg.Client,
    readonly pid: number,
  ) {}

  static async open(url: string): Promise<Session> {
    const client = new pg.Client({ connectionString: url });
    // A killed session reports here as well as in the query under way.
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return new Session(client, rows[0]?.pid ?? 0);
  }

  async run(sql: string, parameters: unknown[] = []): Promise<unknown> {
    return (await this.client.query<Record<string, unknown>>(sql, parameters)).rows;
  }

  /** The append of the log, inside whatever transaction the session is in. */
  async append(stream: string, count = 1, appendContext: AppendContext = context): Promise<AppendAnswer | undefined> {
    const append = prepareAppend([write(stream, 'any', count)], appendContext, systemIds);
    const [answer] = await appendGroup({ query: (sql, parameters) => this.run(sql, parameters) }, [append]);
    return answer;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
