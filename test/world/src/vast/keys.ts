import { type WorldRandom } from '../clock.js';
import { type VastOptions } from './options.js';
import { permits, type Permissions, type Scope } from './scopes.js';
import { type VastStore } from './store.js';

/** Whoever shows a key that opens something. */
export interface Holder {
  /** Safe to note: the key's id, or what it belongs to. */
  readonly keyId: string;
  /** Null: everything, as the key of the account itself. */
  readonly permissions: Permissions | null;
  readonly endpointId?: number;
  readonly groupId?: number;
}

export interface CreatedKey {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
  readonly permissions: Permissions;
  readonly createdAtMs: number;
}

/** Every key of the account. */
export class KeyRing {
  readonly created = new Map<number, CreatedKey>();
  readonly accountKeyId: number;

  constructor(
    private readonly store: VastStore,
    private readonly options: Pick<VastOptions, 'apiKey'>,
    random: WorldRandom,
  ) {
    this.accountKeyId = 1_000 + Math.floor(random.next() * 1_000);
  }

  create(name: string, permissions: Permissions): CreatedKey {
    const { store } = this;
    const key = {
      ...{ id: store.nextId(), name, permissions },
      ...{ secret: store.canary('created API key', 64), createdAtMs: store.clock.nowMs() },
    };
    this.created.set(key.id, key);
    return key;
  }

  /** Who has this key of the account, with or without every right. */
  account(secret: string | undefined): Holder | undefined {
    if (secret === undefined) return undefined;
    if (secret === this.options.apiKey) return { keyId: String(this.accountKeyId), permissions: null };
    for (const { id, secret: own, permissions } of this.created.values())
      if (own === secret) return { keyId: String(id), permissions };
    return undefined;
  }

  /** As `account`, or who has the key of one endpoint or workergroup. */
  any(secret: string | undefined): Holder | undefined {
    const holder = this.account(secret);
    if (holder || secret === undefined) return holder;
    for (const { id, api_key } of this.store.endpoints.values())
      if (api_key === secret) return { keyId: `endpoint:${id}`, permissions: {}, endpointId: id };
    for (const { id, api_key, endpointId } of this.store.groups.values())
      if (api_key === secret) return { keyId: `workergroup:${id}`, permissions: {}, endpointId, groupId: id };
    return undefined;
  }

  /** Every key that opens something. */
  secrets(): readonly string[] {
    return [
      ...[...this.created.values()].map(({ secret }) => secret),
      ...[...this.store.endpoints.values(), ...this.store.groups.values()].map(({ api_key }) => api_key),
    ];
  }
}

export const may = ({ permissions }: Holder, scope: Scope, id?: number): boolean =>
  permissions === null || permits(permissions, scope, id);
