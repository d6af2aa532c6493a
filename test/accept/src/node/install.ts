import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { lastLine } from '../results.js';
import { ChecksumError, fetchOfficial } from './official.js';

/** Of each line of Node that package.json promises beside the one that Davit is developed with, a release that is tried. */
export const NODE_VERSIONS = ['22.23.5', '24.22.3'] as const;
export type NodeVersion = (typeof NODE_VERSIONS)[number];

const TIMEOUT_MS = 600_000;
/** The same releases as packages, which npm checks against the digests that it is told. */
const PACKAGE = `node-${process.platform}-${process.arch}`;

export type InstalledNode =
  /** @property folder holds the program `node` */
  { readonly ok: true; readonly folder: string } | { readonly ok: false; readonly why: string };

/**
 * A Node of its own in the user's cache, fetched once and used by every later run: from nodejs.org, or where that cannot be reached as a
 * package.
 * @throws ChecksumError where what came is not what was published
 */
export async function installNode(version: NodeVersion, say: (line: string) => void): Promise<InstalledNode> {
  const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'davit');
  const [own, packaged] = [path.join(cache, `node-v${version}`), path.join(cache, `node-package-${version}`)];
  const folders = [path.join(own, 'bin'), path.join(packaged, 'node_modules', PACKAGE, 'bin')] as const;
  const known = folders.find((folder) => existsSync(path.join(folder, 'node')));
  if (known !== undefined) return { ok: true, folder: known };
  try {
    say(`Fetching Node ${version} from nodejs.org into ${own} …`);
    await fetchOfficial(version, own);
    return { ok: true, folder: folders[0] };
  } catch (error) {
    if (error instanceof ChecksumError) throw error;
    say(`nodejs.org has none for us (${lastLine(error)}); installing the package ${PACKAGE}@${version} …`);
  }
  try {
    await mkdir(packaged, { recursive: true });
    const options = ['--prefix', packaged, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', ['install', ...options, `${PACKAGE}@${version}`], { timeout: TIMEOUT_MS });
    return { ok: true, folder: folders[1] };
  } catch (error) {
    await rm(packaged, { recursive: true, force: true });
    return { ok: false, why: `it can neither be fetched nor installed here: ${lastLine(error)}` };
  }
}
