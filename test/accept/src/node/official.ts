import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** Where releases of Node and their checksums lie: https://nodejs.org/en/about/previous-releases */
export const DIST = 'https://nodejs.org/dist';
const CHECKSUMS_TIMEOUT_MS = 20_000;
const ARCHIVE_TIMEOUT_MS = 600_000;

/** What came is not what was published: nothing of it is used. */
export class ChecksumError extends Error {
  constructor(name: string) {
    super(`${name} has another SHA-256 than SHASUMS256.txt says`);
    this.name = 'ChecksumError';
  }
}

/**
 * Unpacks an official release for this kind of machine into a folder that is not there yet.
 * @param dist address below which the releases lie
 * @throws ChecksumError where the archive is not the published one; any other error where it cannot be had
 */
export async function fetchOfficial(version: string, folder: string, dist = DIST): Promise<void> {
  const name = `node-v${version}-${process.platform}-${process.arch}.tar.gz`;
  const at = `${dist}/v${version}`;
  const published = digestIn(await (await get(`${at}/SHASUMS256.txt`, CHECKSUMS_TIMEOUT_MS)).text(), name);
  if (published === undefined) throw new Error(`no release ${name} is published`);
  const archive = Buffer.from(await (await get(`${at}/${name}`, ARCHIVE_TIMEOUT_MS)).arrayBuffer());
  if (createHash('sha256').update(archive).digest('hex') !== published) throw new ChecksumError(name);
  await mkdir(path.dirname(folder), { recursive: true });
  const work = await mkdtemp(path.join(path.dirname(folder), 'fetch-'));
  try {
    await writeFile(path.join(work, name), archive);
    await mkdir(path.join(work, 'node'));
    await promisify(execFile)('tar', ['-xzf', name, '-C', 'node', '--strip-components=1'], { cwd: work });
    await rename(path.join(work, 'node'), folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The digest of one file in a list as `sha256sum` writes it: `<digest>  <name>`. */
function digestIn(list: string, name: string): string | undefined {
  const line = list.split('\n').find((one) => one.endsWith(`  ${name}`));
  return line?.slice(0, line.indexOf(' '));
}

async function get(url: string, timeoutMs: number): Promise<Response> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}`);
  return answer;
}
