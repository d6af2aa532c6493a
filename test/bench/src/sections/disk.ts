import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Section } from '../bench.js';
import { percentile } from '../measure.js';

const SYNCS = 300;

/** What the disk itself takes for one small durable write: no durable append can be faster. */
export const disk: Section = {
  title: 'Disk',
  run: async ({ dataSource }) => {
    const settings: { fsync: string; folder: string; commit: string }[] = await dataSource.query(
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
         current_setting('data_directory') as folder`,
    );
    const { fsync, commit, folder } = settings[0] ?? { fsync: '?', commit: '?', folder: '?' };
    if (fsync !== 'on' || commit === 'off') {
      throw new Error(`PostgreSQL runs with fsync=${fsync}, synchronous_commit=${commit}; figures would mean nothing`);
    }
    const durations = syncTimes(writableFolder(folder));
    return [
      { what: 'write 8 KiB and fdatasync, p50', value: percentile(durations, 0.5), unit: 'ms' },
      { what: 'write 8 KiB and fdatasync, p99', value: percentile(durations, 0.99), unit: 'ms' },
    ];
  },
};

/** Beside the data of PostgreSQL where we may write there, so that it is the same disk. */
function writableFolder(dataFolder: string): string {
  try {
    return mkdtempSync(path.join(path.dirname(dataFolder), 'bench-'));
  } catch {
    return mkdtempSync(path.join(tmpdir(), 'davit-bench-'));
  }
}

function syncTimes(folder: string): number[] {
  const file = openSync(path.join(folder, 'sync'), 'w');
  const block = Buffer.alloc(8_192, 1);
  try {
    return Array.from({ length: SYNCS }, () => {
      const startMs = performance.now();
      writeSync(file, block, 0, block.length, 0);
      fdatasyncSync(file);
      return performance.now() - startMs;
    });
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
