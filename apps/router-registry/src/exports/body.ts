import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);
/** Below this nothing is gained. */
const WORTH_BYTES = 1_024;

/** A part of an answer that stays as it is while others change: made and hashed once, copied into every answer that holds it. */
export class Piece {
  readonly bytes: Buffer;
  readonly digest: string;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.digest = digestOf(this.bytes);
  }
}

/** What one answer is made of: made once, sent to everybody who asks while it is true. */
export class Body {
  readonly plain: Buffer;
  /** Strong: equal tags are equal bytes. */
  readonly tag: string;
  private zipped: Buffer | undefined;
  private zipping = false;

  constructor(
    content: string | readonly Piece[],
    readonly contentType: string,
  ) {
    const isText = typeof content === 'string';
    this.plain = isText ? Buffer.from(content) : Buffer.concat(content.map(({ bytes }) => bytes));
    this.tag = digestOf(isText ? this.plain : content.map(({ digest }) => digest).join(' '));
  }

  /** Compressed as soon as that is done, which nobody waits for. */
  get compressed(): Buffer | undefined {
    if (!this.zipping && this.plain.length >= WORTH_BYTES) {
      this.zipping = true;
      // On a thread of its own; whatever goes wrong there, the plain one is sent.
      void compress(this.plain, { level: 1 }).then(
        (zipped) => (this.zipped = zipped),
        () => undefined,
      );
    }
    return this.zipped;
  }
}

const digestOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('base64url');

/** The part of a Fastify reply used here. */
export interface Reply {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
}

export type Conditions = Readonly<Record<'accept-encoding' | 'if-none-match', unknown>>;

/** Sets the head of an answer and tells its bytes: none for a reader who has them already (RFC 9110, section 13.1.2). */
export function answer(body: Body, conditions: Partial<Conditions>, reply: Reply): Buffer | undefined {
  const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(textOf(conditions['accept-encoding']));
  const zipped = acceptsGzip ? body.compressed : undefined;
  const tag = `"${body.tag}${zipped ? '-gzip' : ''}"`;
  reply.header('etag', tag).header('vary', 'accept-encoding').header('cache-control', 'no-cache');
  if (holds(textOf(conditions['if-none-match']), body.tag)) {
    reply.code(304);
    return undefined;
  }
  reply.header('content-type', body.contentType);
  if (zipped) reply.header('content-encoding', 'gzip');
  return zipped ?? body.plain;
}

/** Either encoding tells the same. */
const holds = (condition: string, tag: string): boolean =>
  condition.trim() === '*' || condition.includes(`"${tag}"`) || condition.includes(`"${tag}-gzip"`);

const textOf = (header: unknown): string => (typeof header === 'string' ? header : '');
