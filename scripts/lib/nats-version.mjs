import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** JetStream with everything that is used here. */
export const MINIMUM_NATS = [2, 9, 10];
/** From here on the server can be told to sync every write. */
export const RECOMMENDED_NATS = [2, 10, 0];

/**
 * @param {string} text such as `nats-server: v2.10.27`
 * @returns {number[] | undefined}
 */
export function parseNatsVersion(text) {
  const match = /nats-server: v?(\d+)\.(\d+)\.(\d+)/.exec(text);
  return match === null ? undefined : match.slice(1).map(Number);
}

/**
 * @param {readonly number[]} version
 * @param {readonly number[]} minimum
 */
export function atLeast(version, minimum) {
  for (const [index, wanted] of minimum.entries()) {
    const have = version[index] ?? 0;
    if (have !== wanted) return have > wanted;
  }
  return true;
}

/**
 * Whether the program is a NATS server new enough.
 * @param {string} binary
 * @returns {Promise<{ ok: true, version: number[] } | { ok: false, reason: string }>}
 */
export async function probeNats(binary) {
  let output;
  try {
    output = (await promisify(execFile)(binary, ['--version'], { timeout: 10_000 })).stdout;
  } catch (error) {
    return { ok: false, reason: `${binary} does not run: ${firstLine(error)}` };
  }
  const version = parseNatsVersion(output);
  if (version === undefined)
    return { ok: false, reason: `${binary} --version said "${output.trim()}", which is not a NATS server` };
  if (!atLeast(version, MINIMUM_NATS)) {
    return {
      ok: false,
      reason: `${binary} is version ${version.join('.')}; at least ${MINIMUM_NATS.join('.')} is needed`,
    };
  }
  return { ok: true, version };
}

/** @param {unknown} error */
export function firstLine(error) {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
