import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { DoctorCheck } from '@davit/contracts';
import { CommandError, exitCodes } from '../exit-codes.js';
import type { Session } from '../session.js';

/** Says what is missing, here and at the server, and how to mend it. */
export async function doctor(session: Session, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const checks = [nodeVersion(), sky(env), secretsOf(env), ...(await serverChecks(session))];
  const failing = checks.filter(({ ok }) => !ok);
  const text = checks
    .map(
      ({ name, ok, detail, remedy }) =>
        `${ok ? 'ok   ' : 'FAULT'}  ${name}${detail === '' ? '' : `: ${detail}`}${remedy === null || ok ? '' : `\n       ${remedy}`}`,
    )
    .join('\n');
  session.print({ ok: failing.length === 0, checks }, () => text);
  if (failing.length > 0) {
    throw new CommandError(exitCodes.unhealthy, `${failing.length} of ${checks.length} checks found a fault.`);
  }
}

async function serverChecks(session: Session): Promise<readonly DoctorCheck[]> {
  try {
    const checks = await session.client.doctor();
    return [{ name: 'spec-api', ok: true, detail: `answers at ${session.client.baseUrl}`, remedy: null }, ...checks];
  } catch (error) {
    const detail =
      error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/^error\s+/, '') : String(error);
    return [{ name: 'spec-api', ok: false, detail, remedy: 'Start it with `npm run up`, or set DAVIT_URL.' }];
  }
}

function nodeVersion(): DoctorCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  return {
    name: 'node',
    ok,
    detail: `version ${process.versions.node}`,
    remedy: 'Install Node 20.19 or newer, 22.12 or newer, or 24.',
  };
}

/** SkyPilot is needed only to rent real machines, so its absence is told but is no fault while the world is simulated. */
function sky(env: NodeJS.ProcessEnv): DoctorCheck {
  const named = env['SKY_BIN'] || 'sky';
  const candidates = named.includes(path.sep)
    ? [named]
    : (env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, named));
  const file = candidates.find((candidate) => isExecutable(candidate));
  const needed = env['DAVIT_WORLD'] === 'off';
  const missing = named.includes(path.sep) ? `SKY_BIN is ${named}, which is no program` : 'not on the PATH';
  const detail = file ?? `${missing}${needed ? '' : '; needed only to rent real machines'}`;
  return {
    name: 'sky',
    ok: file !== undefined || !needed,
    detail,
    remedy: 'Install SkyPilot (pip install "skypilot[runpod,vast]"), and set SKY_BIN unless `sky` is on the PATH.',
  };
}

function secretsOf(env: NodeJS.ProcessEnv): DoctorCheck {
  const missing = ['RUNPOD_API_KEY', 'VAST_API_KEY'].filter((name) => !env[name]);
  const needed = env['DAVIT_WORLD'] === 'off';
  const detail =
    missing.length === 0
      ? 'set'
      : `${missing.join(' and ')} not set here${needed ? '' : '; needed only for real providers'}`;
  return {
    name: 'provider keys',
    ok: missing.length === 0 || !needed,
    detail,
    remedy: 'Export the keys before starting the services.',
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
