import type { DoctorCheck } from '@davit/contracts';
import { compareAmounts } from '@davit/domain';
import type { Clock } from '@davit/ports';
import type { AccountRow } from '../vast/api/users.js';
import type { VastClient } from '../vast/client.js';
import type { VastSettings } from '../vast/settings.js';
import type { Reply } from '../vast/wire/reply.js';
import type { Permission } from '../vast/wire/routes.js';

export interface DoctorParts {
  readonly client: VastClient;
  readonly settings: VastSettings;
  readonly clock: Clock;
}

/** Credit below which Vast was reported to rent no serverless worker, in USD. Source: one user's report, so a warning in words. */
const LEAST_CREDIT = '5';
const DAY_MS = 86_400_000;
/** Of no template: an answer without rows is an answer. */
const NO_TEMPLATE = '0'.repeat(32);

/** What each group of permissions is for, and a call that reads with it. */
const READS: readonly {
  readonly permission: Permission;
  readonly need: string;
  readonly read: (parts: DoctorParts) => Promise<Reply<unknown>>;
}[] = [
  { permission: 'misc', need: 'endpoints and workergroups', read: ({ client }) => client.endpoints.list() },
  { permission: 'user_read', need: 'templates', read: ({ client }) => client.templates.byHash(NO_TEMPLATE) },
  { permission: 'instance_read', need: 'proof of what workers run', read: ({ client }) => client.instances.list() },
  {
    permission: 'billing_read',
    need: 'what was spent',
    read: ({ client, clock }) => client.charges.serverless(clock.nowMs() - DAY_MS, clock.nowMs()),
  },
];

/**
 * What the keys of Vast may do, as far as reading shows, and whether there is money. Nothing is written to find out, and no
 * key is tried in another's place: a permission to write is known from its first use.
 */
export async function examineVast(parts: DoctorParts): Promise<readonly DoctorCheck[]> {
  if (parts.settings.apiKey === '') {
    const detail = 'VAST_API_KEY is not set where vast-serverless runs; needed for serverless deployments only';
    return [{ name: 'vast key', ok: true, detail, remedy: null }];
  }
  const [account, ...reads] = await Promise.all([
    parts.client.users.current(),
    ...READS.map(async ({ permission, need, read }) => permissionCheck(permission, need, await read(parts))),
  ]);
  return [credit(account), ...reads, templateKey(parts.settings)];
}

function permissionCheck(permission: Permission, need: string, reply: Reply<unknown>): DoctorCheck {
  const name = `vast permission ${permission}`;
  if (reply.kind === 'confirmed') return { name, ok: true, detail: `reads ${need}`, remedy: null };
  if (reply.kind === 'unknown') {
    return fault(name, `not known: ${reply.detail}`, 'Ask again; Vast did not answer in a way that can be read.');
  }
  switch (reply.cause) {
    case 'permission':
      return fault(
        name,
        `missing, needed for ${need}: ${reply.detail}`,
        `Make a key that has ${reply.permission ?? permission} as well, and set VAST_API_KEY; never a wider one than that.`,
      );
    case 'credential':
      return fault(name, reply.detail, 'Vast does not know this key: correct VAST_API_KEY.');
    case 'two-factor':
      return fault(name, reply.detail, 'Make a key in a session that signed in with two factors.');
    case 'credit':
      return fault(name, reply.detail, 'Add credit to the account; Davit never does.');
    case 'invalid':
    case 'not-found':
    case 'gone':
    case 'declined':
      return fault(name, reply.detail, 'Vast refused a call that only reads; see its words.');
  }
}

function credit(account: Reply<AccountRow>): DoctorCheck {
  const name = 'vast credit';
  if (account.kind !== 'confirmed') return permissionCheck('user_read', 'credit', account);
  const { credit: amount, key_id } = account.value;
  const key = typeof key_id === 'number' ? `, key ${key_id}` : '';
  if (amount === null || amount === undefined) {
    return fault(name, `not told${key}`, 'Look at the billing page of Vast: without credit no worker comes.');
  }
  const isLow = amount.startsWith('-') || compareAmounts(amount, LEAST_CREDIT) < 0;
  return isLow
    ? fault(
        name,
        `USD ${amount}${key}`,
        `Add credit: below about USD ${LEAST_CREDIT} Vast may rent no worker, without a word.`,
      )
    : { name, ok: true, detail: `USD ${amount}${key}`, remedy: null };
}

const templateKey = ({ templateKey: key }: VastSettings): DoctorCheck => ({
  name: 'vast template key',
  ok: true,
  detail: key === '' ? 'VAST_TEMPLATE_API_KEY is not set; needed for spec.compute.template only' : 'set',
  remedy: null,
});

const fault = (name: string, detail: string, remedy: string): DoctorCheck => ({ name, ok: false, detail, remedy });
