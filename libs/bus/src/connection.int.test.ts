import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@davit/ports';
import { eventually, startNats } from '@davit/test-support';
import { connectBus } from './connection.js';
import { BusUnavailableError } from './errors.js';
import { Rig } from './testing/rig.js';

describe('the connection to the broker', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.start();
  });
  afterEach(() => rig.settle());
  afterAll(() => rig.end());

  it('is waited for while the broker is not there, and says when it came', async () => {
    await rig.broker.stop();
    const connecting = rig.bus();
    await eventually(() => rig.logged('broker not reached'));
    await rig.broker.restart();
    const bus = await connecting;
    expect(bus.status()).toMatchObject({ connected: true, reconnects: 0 });
    expect(bus.status().server).toContain(String(rig.broker.port));
  });

  it('can be given up before it was made', async () => {
    const giveUp = new AbortController();
    const connecting = connectBus({
      url: 'nats://127.0.0.1:1',
      name: 'test',
      logger: silentLogger,
      signal: giveUp.signal,
    });
    giveUp.abort();
    await expect(connecting).rejects.toThrow(BusUnavailableError);
  });

  it('outlives a broker that refuses its credentials for a while', async () => {
    const broker = await startNats({ extraConfig: 'authorization { token: "right" }' });
    rig.later(() => broker.dispose());
    const bus = await rig.bus('test', broker.url.replace('://', '://right@'));
    await broker.stop();
    const strict = await startNats({ port: broker.port, extraConfig: 'authorization { token: "other" }' });
    rig.later(() => strict.dispose());
    await eventually(() => rig.lines.filter(({ message }) => message === 'broker reported an error').length >= 3);
    await strict.stop();
    await broker.restart();
    await eventually(() => bus.status().connected);
  });

  it('reports its loss and its return, tells those who asked, and can be closed twice', async () => {
    const bus = await rig.bus();
    let returns = 0;
    const forget = bus.onReconnect(() => (returns += 1));
    await rig.broker.kill9();
    await eventually(() => !bus.status().connected);
    await rig.broker.restart();
    await eventually(() => bus.status().connected);
    expect(bus.status().reconnects).toBe(1);
    expect(returns).toBe(1);
    forget();
    await bus.close();
    await bus.close();
    expect(bus.status().connected).toBe(false);
  });
});
