import { expect, test } from '@jest/globals';
import { type CommandRunner, VirtualClock } from '@davit/ports';
import { SkyCli } from './cli.js';
import { FleetView, launchOf } from './fleet-view.js';
import { DEFAULT_SKY_SETTINGS } from './settings.js';

const settings = { ...DEFAULT_SKY_SETTINGS, binary: 'sky', home: '/', path: '', userId: '0badcafe' };

/** A client whose local server starts with the first question about clusters, as the real one's does. */
function clientWithoutServer(launches: readonly object[]) {
  const calls: string[] = [];
  let runs = false;
  const commands: CommandRunner = {
    run: ({ args }) => {
      calls.push(args[0] === 'api' ? 'launches' : 'clusters');
      const isApi = args[0] === 'api';
      if (!isApi) runs = true;
      const list = JSON.stringify(isApi && runs ? launches : [], null, 2);
      const prose = isApi && !runs ? 'SkyPilot API server is not running.\n' : '';
      return Promise.resolve({ kind: 'exited', exitCode: 0, stdout: `${prose}${list}\n`, stderr: '' });
    },
  };
  return { calls, view: new FleetView(new SkyCli(commands, settings), new VirtualClock()) };
}

test('a launch is found although there was no server to ask at first', async () => {
  const launch = { request_id: 'r1', name: 'sky.launch', status: 'PENDING', cluster_name: 'dv-a' };
  const { calls, view } = clientWithoutServer([launch]);
  const fleet = await view.all(0);
  expect(fleet.ok && launchOf(fleet.value, 'dv-a')).toMatchObject({ id: 'r1' });
  expect(calls).toEqual(['launches', 'clusters', 'launches', 'clusters']);
});

test('a launch that does not say what it launches makes every other name unclear', async () => {
  const { view } = clientWithoutServer([
    { request_id: 'r1', name: 'sky.launch', status: 'PENDING', cluster_name: null },
  ]);
  const fleet = await view.byName('dv-b');
  expect(fleet.ok && launchOf(fleet.value, 'dv-b')).toBe('unclear');
});
