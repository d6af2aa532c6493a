import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@davit/test-support';
import { z } from 'zod';
import type { Bus } from './connection.js';
import { DuplicateHandlerError, PayloadTooLargeError } from './errors.js';
import { request } from './request.js';
import { RpcProblemError, problem } from './rpc-problem.js';
import { type Handle, Rig, gate, requestController, text } from './testing/rig.js';

const SUBJECT = 'davit.rpc.test.echo';
const echo = z.object({ from: z.string(), body: z.unknown() });

describe('requests over the bus', () => {
  let rig: Rig;
  let client: Bus;
  beforeAll(async () => {
    rig = await Rig.start();
  });
  beforeEach(async () => {
    client = await rig.bus('client');
  });
  afterEach(() => rig.settle());
  afterAll(() => rig.end());

  const serve = async (name: string, handle: Handle, rpc: { rpcTimeoutMs?: number; rpcConcurrency?: number } = {}) => {
    const bus = await rig.bus(name);
    // Requests need no stream.
    const { strategy } = await rig.serve(bus, [requestController(SUBJECT, handle)], { ...rpc, ...noEvents });
    return strategy;
  };
  const ask = (body: unknown, timeoutMs = 3_000) => request(client, SUBJECT, body, { timeoutMs, reply: echo });

  it('are answered by one of several instances, and shared among them', async () => {
    await serve('one', (body) => ({ from: 'one', body }));
    await serve('two', (body) => ({ from: 'two', body }));
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => ask({ index })));
    const from = replies.map((reply) => (reply.outcome === 'answered' ? reply.body.from : reply.outcome));
    expect(new Set(from)).toEqual(new Set(['one', 'two']));
    expect(replies[7]).toMatchObject({ outcome: 'answered', body: { body: { index: 7 } } });
  });

  it('say so when nobody serves the subject', async () => {
    expect(await ask({})).toEqual({ outcome: 'no-responders' });
  });

  it('end in "timeout" when the answer does not come in time', async () => {
    const hold = gate();
    await serve('slow', () => hold.opened);
    expect(await ask({}, 100)).toEqual({ outcome: 'timeout' });
    hold.open();
  });

  it('are told by the server when its own time was up', async () => {
    const hold = gate();
    await serve('slow', () => hold.opened, { rpcTimeoutMs: 50 });
    expect(await ask({})).toMatchObject({ outcome: 'refused', problem: { code: 'deadline-exceeded' } });
    hold.open();
  });

  it('are refused with the problem that the handler names', async () => {
    await serve('strict', () => {
      throw new RpcProblemError(problem('unknown-placement', 422, 'No such placement'));
    });
    expect(await ask({})).toMatchObject({ outcome: 'refused', problem: { code: 'unknown-placement', status: 422 } });
  });

  it('are answered with a problem when the handler fails', async () => {
    await serve('broken', () => {
      throw new Error('disk is gone');
    });
    const reply = await ask({});
    expect(reply).toMatchObject({
      outcome: 'refused',
      problem: { code: 'internal', status: 500, detail: 'disk is gone' },
    });
  });

  it('are "invalid" when the answer has another shape', async () => {
    await serve('odd', () => ({ from: 7 }));
    expect(await ask({})).toMatchObject({ outcome: 'invalid' });
  });

  it('with a body that is no JSON are answered with a problem and harm nobody', async () => {
    await serve('one', (body) => ({ from: 'one', body }));
    const raw = await client.connection.request(SUBJECT, '{"half', { timeout: 3_000 });
    expect(JSON.parse(text(raw.data))).toMatchObject({ code: 'malformed-request', status: 400 });
    expect(await ask({})).toMatchObject({ outcome: 'answered' });
  });

  it('beyond the allowed number at once are refused, not queued', async () => {
    const hold = gate();
    const strategy = await serve(
      'small',
      async (body) => {
        await hold.opened;
        return { from: 'small', body };
      },
      { rpcConcurrency: 1 },
    );
    const first = ask({});
    await eventually(() => strategy.stats().inFlight === 1);
    expect(await ask({})).toMatchObject({ outcome: 'refused', problem: { code: 'overloaded', status: 503 } });
    hold.open();
    expect(await first).toMatchObject({ outcome: 'answered' });
  });

  it('in work at shutdown are still answered', async () => {
    const hold = gate();
    const strategy = await serve('leaving', async (body) => {
      await hold.opened;
      return { from: 'leaving', body };
    });
    const reply = ask({});
    await eventually(() => strategy.stats().inFlight === 1);
    const closing = strategy.close();
    hold.open();
    expect(await reply).toMatchObject({ outcome: 'answered' });
    await closing;
  });

  it('refuse two handlers on one subject', async () => {
    const bus = await rig.bus();
    const both = [requestController(SUBJECT, () => 1), requestController(SUBJECT, () => 2)];
    await expect(rig.serve(bus, both, noEvents)).rejects.toThrow(DuplicateHandlerError);
  });

  it('too large for the broker are refused before they are sent', async () => {
    const body = { text: 'x'.repeat(9_000_000) };
    await expect(ask(body)).rejects.toThrow(PayloadTooLargeError);
  });

  it('are answered also when the handler fails with a reason that is too long to send', async () => {
    await serve('verbose', () => Promise.reject(new Error('x'.repeat(9_000_000))));
    expect(await ask({})).toMatchObject({ outcome: 'refused', problem: { code: 'internal', status: 500 } });
  });
});

const noEvents = { events: undefined };
