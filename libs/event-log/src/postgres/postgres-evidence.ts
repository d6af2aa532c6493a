import type { EvidenceKind } from '@davit/contracts';
import { z } from 'zod';
import { pack, unpack } from '../evidence/packing.js';
import {
  EvidenceUnavailableError,
  type EvidenceStore,
  InvalidEvidenceError,
  type KeptEvidence,
} from '../evidence/store.js';
import type { Queryable } from './queryable.js';

const kindRows = z.array(z.object({ kind: z.string() }));
const contentRows = z.array(z.object({ kind: z.string(), content: z.instanceof(Buffer) }));

/** Evidence in `log.evidence`, in the database of the log, so that a backup of the one has the other. */
export class PostgresEvidence implements EvidenceStore {
  constructor(private readonly database: Queryable) {}

  async put<Kind extends EvidenceKind>(kind: Kind, value: unknown): Promise<KeptEvidence<Kind>> {
    const { kept, content } = await pack(kind, value);
    const inserted = await this.ask(
      `insert into log.evidence (digest, kind, content) values ($1, $2, $3)
       on conflict (digest) do nothing returning kind`,
      [kept.digest, kind, content],
    );
    const [before] =
      kindRows.parse(inserted).length > 0
        ? []
        : kindRows.parse(await this.ask('select kind from log.evidence where digest = $1', [kept.digest]));
    if (before && before.kind !== kind) throw new InvalidEvidenceError(kind, `it is kept as ${before.kind}`);
    return kept;
  }

  async get(digest: string): Promise<KeptEvidence | undefined> {
    const rows = await this.ask('select kind, content from log.evidence where digest = $1', [digest]);
    const [row] = contentRows.parse(rows);
    return row && unpack(digest, row.kind, row.content);
  }

  private async ask(sql: string, parameters: unknown[]): Promise<unknown> {
    try {
      return await this.database.query(sql, parameters);
    } catch (error) {
      throw new EvidenceUnavailableError(error);
    }
  }
}
