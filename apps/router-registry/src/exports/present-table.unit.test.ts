import type { RouteView } from '@davit/contracts';
import { VirtualClock } from '@davit/ports';
import type { Document, ProjectionObserver, StoredDocument } from '@davit/projection';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Body } from './body.js';
import { HttpSdList, httpSd } from './formats/http-sd.js';
import { liteLlm, liteLlmText } from './formats/litellm.js';
import { PresentTable } from './present-table.js';
import { RoutesUnsettledError } from './settling.js';
import { target, view } from './testing/tables.js';

type Stored = StoredDocument<Record<string, unknown>>;

/** A read model as far as the table reads it, which counts how often that is. */
class Model {
  readonly routes = new Map<string, Stored>();
  readonly replicas = new Map<string, Stored>();
  readonly reads: string[] = [];
  fails = false;

  async get<Shape extends Document>(kind: string, key: string): Promise<StoredDocument<Shape> | undefined> {
    this.reads.push(`${kind} ${key}`);
    return (await this.answer<StoredDocument<Shape> | undefined>([this.of(kind).get(key)]))[0];
  }
  position(): Promise<number> {
    return Promise.resolve(
      Math.max(...[...this.routes.values(), ...this.replicas.values()].map(({ position }) => position)),
    );
  }
  list<Shape extends Document>(kind: string): Promise<readonly StoredDocument<Shape>[]> {
    this.reads.push(`all ${kind}`);
    return this.answer<StoredDocument<Shape>>([...this.of(kind).values()]);
  }

  private readonly of = (kind: string): ReadonlyMap<string, Stored> => (kind === 'route' ? this.routes : this.replicas);

  /** Whoever asks names the shape that the fold gives a kind, as with the stores. */
  private answer<Found>(found: readonly (Stored | undefined)[]): Promise<readonly Found[]> {
    if (this.fails) return Promise.reject(new Error('the database is away'));
    return Promise.resolve(found as readonly Found[]);
  }
}

let model: Model;
let clock: VirtualClock;
let observer: ProjectionObserver;
let present: PresentTable;

const key = (name: string): string => `default/${name}`;
function publish(changed: RouteView): void {
  const document: Record<string, unknown> = { ...changed, version: changed.snapshot };
  model.routes.set(changed.alias, { kind: 'route', key: changed.alias, document, position: changed.position });
  observer.onChanged?.([{ kind: 'route', key: changed.alias, document }], changed.position);
}
const PROVEN = {
  ...{ status: 'ready', runtime: { status: 'ready' }, absence: { observedAt: [] }, load: null },
  route: { registered: true },
};
function proven(replica: string): void {
  model.replicas.set(replica, { kind: 'replica', key: replica, document: { ...PROVEN, id: replica }, position: 1 });
}
const load = (replica: string, running: number): void => tell(replica, { load: { running, waiting: 0 } });
function tell(replica: string, changes: object, position = 1): void {
  const document = { ...PROVEN, id: replica, ...changes };
  model.replicas.set(replica, { kind: 'replica', key: replica, document, position });
  observer.onChanged?.([{ kind: 'replica', key: replica, document }], position);
}

beforeEach(() => {
  model = new Model();
  clock = new VirtualClock();
  const projection = { observe: (given: ProjectionObserver) => ((observer = given), () => undefined) };
  // The fake answers with what the test put in, under the shapes that the fold has.
  present = new PresentTable(model, projection, clock);
  proven('default/qwen-1-0-1');
  proven('default/qwen-1-1-1');
  publish(view({ alias: key('a'), position: 1, targets: [target(0, 'http://10.0.0.1:8000')] }));
  publish(view({ alias: key('b'), position: 2, targets: [target(1, 'http://10.0.0.2:8000')] }));
});

describe('the present table', () => {
  it('is one object while nothing changes, and reads an alias again only when it changed', async () => {
    const before = await present.read();
    expect(before.aliases.map(({ alias }) => alias)).toEqual([key('a'), key('b')]);
    expect(await present.read()).toBe(before);
    expect(model.reads).toEqual(['all route', 'all replica']);
    publish(view({ alias: key('b'), snapshot: 8, position: 3, targets: [] }));
    const after = await present.read();
    expect(after.position).toBe(3);
    expect(after.aliases[0]).toBe(before.aliases[0]);
    expect(after.aliases[1]).toMatchObject({ alias: key('b'), snapshot: 8, endpoints: [] });
    expect(model.reads.slice(2)).toEqual([`route ${key('b')}`]);
  });

  it('keeps what changed in mind until it could be read', async () => {
    const before = await present.read();
    publish(view({ alias: key('a'), snapshot: 8, position: 3, targets: [] }));
    model.fails = true;
    await expect(present.read()).rejects.toThrow('away');
    model.fails = false;
    expect((await present.read()).aliases[0]).toMatchObject({ snapshot: 8, endpoints: [] });
    expect(before.aliases[0]?.endpoints).toHaveLength(1);
  });

  it('reads everything again after changes that were not told one by one', async () => {
    await present.read();
    model.routes.delete(key('a'));
    observer.onLive?.(9);
    expect((await present.read()).aliases.map(({ alias }) => alias)).toEqual([key('b')]);
  });

  it('shows what changed while it was being read', async () => {
    const first = present.read();
    publish(view({ alias: key('a'), snapshot: 9, position: 4, targets: [] }));
    const [, second] = await Promise.all([first, present.read()]);
    expect(second.aliases[0]?.snapshot).toBe(9);
  });

  it('law-11: after a start it shows no route that its own evidence contradicts, until that is decided', async () => {
    const died = { ...PROVEN, id: 'default/qwen-1-0-1', runtime: { status: 'unready' } };
    model.replicas.set(died.id, { kind: 'replica', key: died.id, document: died, position: 3 });
    await expect(present.read()).rejects.toThrow(RoutesUnsettledError);
    publish(view({ alias: key('a'), snapshot: 8, position: 4, targets: [] }));
    expect((await present.read()).aliases[0]).toMatchObject({ snapshot: 8, endpoints: [] });
    publish(view({ alias: key('a'), snapshot: 9, position: 5, targets: [target(0, 'http://10.0.0.1:8000')] }));
    observer.onLive?.(9);
    await expect(present.read()).rejects.toThrow('1 targets lost their proof');
    await clock.advance(10_000);
    const late = await present.read();
    expect(late.aliases.map(({ endpoints }) => endpoints.length)).toEqual([0, 1]);
  });

  it('law-11: shows what lost its proof and is routed still neither later, until it is proven anew', async () => {
    const died = { ...PROVEN, id: 'default/qwen-1-0-1', runtime: { status: 'unready' } };
    model.replicas.set(died.id, { kind: 'replica', key: died.id, document: died, position: 3 });
    await expect(present.read()).rejects.toThrow(RoutesUnsettledError);
    await clock.advance(10_000);
    const withoutIt = await present.read();
    publish(view({ alias: key('b'), snapshot: 8, position: 4, targets: [target(1, 'http://10.0.0.3:8000')] }));
    const after = await present.read();
    expect(after.aliases.map(({ endpoints }) => endpoints.map(({ host }) => host))).toEqual([[], ['10.0.0.3']]);
    load('default/qwen-1-0-1', 1);
    const back = await present.read();
    expect(back.aliases.map(({ endpoints }) => endpoints.length)).toEqual([1, 1]);
    expect(new Set([withoutIt, after, back].map(({ digest }) => digest)).size).toBe(3);
  });

  it('law-11: withholds what loses its proof while it runs and is not withdrawn in time, until it is proven anew', async () => {
    const whole = await present.read();
    tell('default/qwen-1-0-1', { runtime: { status: 'unready' } }, 7);
    expect(await present.read()).toBe(whole);
    await clock.advance(5_000);
    const withoutIt = await present.read();
    expect(withoutIt.aliases.map(({ endpoints }) => endpoints.length)).toEqual([0, 1]);
    expect(await present.snapshot(key('a'))).toMatchObject({ snapshot: 7, withheld: 1, targets: [], position: 7 });
    expect(await present.read()).toBe(withoutIt);
    tell('default/qwen-1-0-1', {}, 9);
    const back = await present.read();
    expect(back.aliases.map(({ endpoints }) => endpoints.length)).toEqual([1, 1]);
    expect([whole, withoutIt, back].map(({ position }) => position)).toEqual([2, 7, 9]);
    expect(await present.snapshots()).toEqual(
      whole.aliases.map(({ alias }) => expect.not.objectContaining({ alias, withheld: 1 })),
    );
  });

  it('law-11: leaves it to the withdrawal where that comes in time', async () => {
    await present.read();
    tell('default/qwen-1-0-1', { runtime: { status: 'unready' } }, 7);
    publish(view({ alias: key('a'), snapshot: 8, position: 8, targets: [] }));
    tell('default/qwen-1-0-1', { runtime: { status: 'unready' }, route: { registered: false } }, 8);
    await clock.advance(60_000);
    model.reads.length = 0;
    expect((await present.read()).aliases[0]).toMatchObject({ snapshot: 8, endpoints: [] });
    expect(model.reads).toEqual([`route ${key('a')}`]);
  });

  it('law-11: is never empty because nobody decided, however long that takes', async () => {
    for (const ordinal of [0, 1]) {
      const died = { ...PROVEN, id: `default/qwen-1-${ordinal}-1`, runtime: { status: 'unready' } };
      model.replicas.set(died.id, { kind: 'replica', key: died.id, document: died, position: 3 });
    }
    await expect(present.read()).rejects.toThrow(RoutesUnsettledError);
    await clock.advance(60_000);
    await expect(present.read()).rejects.toThrow('2 targets lost their proof');
    for (const alias of ['a', 'b']) publish(view({ alias: key(alias), snapshot: 8, position: 4, targets: [] }));
    expect((await present.read()).aliases.map(({ endpoints }) => endpoints.length)).toEqual([0, 0]);
  });

  it('takes over loads now and then, for they are hints', async () => {
    const before = await present.read();
    load('default/qwen-1-0-1', 5);
    expect(await present.read()).toBe(before);
    await clock.advance(10_000);
    const after = await present.read();
    expect(after.aliases[0]?.endpoints[0]?.load).toEqual({ running: 5, waiting: 0 });
    expect(after.aliases[1]).toBe(before.aliases[1]);
    await clock.advance(10_000);
    load('default/qwen-1-0-1', 5);
    expect(await present.read()).toBe(after);
  });

  it('is rendered in pieces to the same as in one', async () => {
    const shared = target(0, 'http://10.0.0.1:8000', { adapters: ['sql'] });
    const list = new HttpSdList();
    const check = async (): Promise<void> => {
      const table = await present.read();
      expect(JSON.parse(new Body(list.pieces(table), 'application/json').plain.toString())).toEqual(httpSd(table));
      expect(JSON.parse(liteLlmText(table))).toEqual(liteLlm(table));
    };
    await check();
    publish(view({ alias: key('c'), position: 5, targets: [shared] }));
    await check();
    expect(httpSd(await present.read())[0]?.labels['__meta_davit_aliases']).toBe(`,${key('a')},${key('c')},`);
    publish(view({ alias: key('a'), snapshot: 8, position: 6, targets: [] }));
    await check();
    expect(httpSd(await present.read()).map(({ labels }) => labels['__meta_davit_aliases'])).toEqual([
      `,${key('b')},`,
      `,${key('c')},`,
    ]);
  });
});
