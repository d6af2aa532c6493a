import { gunzipSync } from 'node:zlib';
import { eventually } from '@davit/test-support';
import { describe, expect, it } from '@jest/globals';
import { Body, type Conditions, Piece, answer } from './body.js';

const LONG = 'davit '.repeat(1_000);

function ask(body: Body, conditions: Partial<Conditions>) {
  const head: Record<string, string> = {};
  let status = 200;
  const reply = {
    code(value: number) {
      status = value;
      return reply;
    },
    header(name: string, value: string) {
      head[name] = value;
      return reply;
    },
  };
  const bytes = answer(body, conditions, reply);
  return { status, head, bytes };
}

describe('an answer that is rendered once', () => {
  it('has the same tag for the same bytes, and another for others', () => {
    expect(new Body(LONG, 'text/plain').tag).toBe(new Body(LONG, 'text/plain').tag);
    expect(new Body(LONG, 'text/plain').tag).not.toBe(new Body(`${LONG}!`, 'text/plain').tag);
  });

  it('is put together from pieces, and has another tag when one of them is another, or stands elsewhere', () => {
    const of = (...texts: readonly string[]): Body =>
      new Body(
        texts.map((text) => new Piece(text)),
        'text/plain',
      );
    expect(of('a', 'é', 'b').plain.toString()).toBe('aéb');
    expect(of('a', 'é', 'b').tag).toBe(of('a', 'é', 'b').tag);
    expect(new Set([of('a', 'b'), of('b', 'a'), of('a', 'c'), of('a'), of()].map(({ tag }) => tag)).size).toBe(5);
  });

  it('is sent plain at once, and compressed as soon as that is done', async () => {
    const body = new Body(LONG, 'text/plain');
    const first = ask(body, { 'accept-encoding': 'gzip' });
    expect(first.bytes?.toString()).toBe(LONG);
    expect(first.head).not.toHaveProperty('content-encoding');
    await eventually(() => ask(body, { 'accept-encoding': 'gzip' }).head['content-encoding'] === 'gzip');
    const later = ask(body, { 'accept-encoding': 'deflate, gzip;q=0.5' });
    expect(gunzipSync(later.bytes ?? Buffer.alloc(0)).toString()).toBe(LONG);
    expect(later.head).toMatchObject({ vary: 'accept-encoding', etag: `"${body.tag}-gzip"` });
    expect(ask(body, {}).bytes?.toString()).toBe(LONG);
    expect(ask(body, { 'accept-encoding': 'gzip;q=0, br' }).head).not.toHaveProperty('content-encoding');
  });

  it.each([
    ['"TAG"', 304],
    ['W/"x", "TAG"', 304],
    ['"TAG-gzip"', 304],
    ['*', 304],
    ['"other"', 200],
    [undefined, 200],
  ])('if-none-match %s → %i', (condition, status) => {
    const body = new Body(LONG, 'text/plain');
    const asked = ask(body, { 'if-none-match': condition?.replace('TAG', body.tag) });
    expect(asked.status).toBe(status);
    expect(asked.bytes === undefined).toBe(status === 304);
  });
});
