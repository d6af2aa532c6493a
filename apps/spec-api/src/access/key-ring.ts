import { type KeyTenants, type KeyView, type NewEvent, EVERY_TENANT, stream } from '@davit/contracts';
import { type KeyDecision, type KeyState, evolveKey, revokeKey, rotateKey, workingHashes } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { Clock } from '@davit/ports';
import { ProblemError, hashOf, isSameHash } from '@davit/service-kit';
import type { Principal } from '../asking/principal.js';
import { found } from '../queries/existing.js';
import { keyView } from '../views/key-view.js';
import { type MintedKey, keyIdIn, mintKey } from './secret.js';

export interface KeyRingPorts {
  readonly log: Pick<EventLog, 'append' | 'readStream'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface WantedKey {
  readonly name: string;
  readonly role: Principal['role'];
  readonly tenants: KeyTenants;
  readonly expiresAt: string | null;
}

/** Whoever changes a key, and which keys they may change: those whose tenants are all theirs. */
export interface KeyHolder {
  readonly actor: string;
  readonly mayChange: (key: KeyState) => boolean;
}

const ATTEMPTS = 10;

/**
 * The API keys, as the log has them at this very moment: no instance keeps one in memory, so a key that is revoked opens nothing
 * anywhere from the moment on at which its event is in the log.
 */
export class KeyRing {
  constructor(
    private readonly ports: KeyRingPorts,
    private readonly service: string,
  ) {}

  /** Whom a secret lets in; undefined for one that is unknown, expired or revoked. */
  async open(secret: string): Promise<Principal | undefined> {
    const id = keyIdIn(secret);
    const key = id === undefined ? undefined : await this.read(id);
    if (!key) return undefined;
    const hash = hashOf(secret);
    const opens = workingHashes(key, this.ports.clock.nowMs()).some((known) => isSameHash(known, hash));
    return opens ? { actor: actorOf(key), role: key.role, tenants: key.tenants } : undefined;
  }

  async create(wanted: WantedKey, actor: string): Promise<Shown> {
    const minted = mintKey();
    const { name, role, tenants, expiresAt } = wanted;
    const data = { keyId: minted.id, tenants, name, role, secretHash: minted.hash, expiresAt };
    const made = await this.append(undefined, minted.id, tenants, { type: 'davit.access.key-created', data }, actor);
    if (!made) throw new Error(`a new key was given the id ${minted.id}, which there was`);
    return { ...made, secret: minted.secret };
  }

  async rotate(id: string, overlapMs: number, holder: KeyHolder): Promise<Shown> {
    const minted = mintKey(id);
    const nowMs = this.ports.clock.nowMs();
    const wanted = { secretHash: minted.hash, overlapMs };
    const changed = await this.change(id, holder, (key) => rotateKey(key, wanted, nowMs));
    return { ...changed, secret: minted.secret };
  }

  revoke(id: string, reason: string, holder: KeyHolder): Promise<{ readonly key: KeyView }> {
    return this.change(id, holder, (key) => revokeKey(key, reason));
  }

  /** Another instance may change the same key at the same moment: then it is decided anew on what it is by then. */
  private async change(
    id: string,
    { actor, mayChange }: KeyHolder,
    decide: (key: KeyState) => KeyDecision,
  ): Promise<{ readonly key: KeyView }> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const known = await this.read(id);
      const key = found(known && mayChange(known) ? known : undefined, 'key', id);
      const decision = decide(key);
      if (decision.outcome === 'refused') throw refused(decision);
      const [event] = decision.events;
      if (!event) return { key: keyView(key, key.position, this.ports.clock.nowMs()) };
      const tenants = key.tenants === 'all' ? 'all' : [...key.tenants];
      const changed = await this.append(key, id, tenants, event, actor);
      if (changed) return changed;
    }
    throw new ProblemError(503, 'log-unavailable', 'The key is being changed by many at once', 'Try again.');
  }

  private async read(id: string): Promise<(KeyState & { readonly position: number }) | undefined> {
    const events = await this.ports.log.readStream(stream.access(id));
    const key = events.reduce<KeyState | undefined>(evolveKey, undefined);
    return key && { ...key, position: events.at(-1)?.position ?? 0 };
  }

  /** Undefined when the key is another one by now. */
  private async append(
    before: KeyState | undefined,
    id: string,
    tenants: KeyTenants,
    event: NewEvent,
    actor: string,
  ): Promise<{ readonly key: KeyView } | undefined> {
    const [only, ...more] = tenants === 'all' ? [] : tenants;
    const tenant = only === undefined || more.length > 0 ? EVERY_TENANT : only;
    const result = await this.ports.log.append(
      [{ stream: stream.access(id), expectedVersion: before?.version ?? 0, events: [event] }],
      { tenant, service: this.service, actor },
    );
    if (result.outcome === 'wrong-version') return undefined;
    if (result.outcome !== 'appended') throw new Error(`the change of a key cannot end in ${result.outcome}`);
    const after = result.events.reduce<KeyState | undefined>(evolveKey, before);
    if (!after) throw new Error(`the key ${id} has no event that created it`);
    const position = result.events.at(-1)?.position ?? 0;
    return { key: keyView(after, position, this.ports.clock.nowMs()) };
  }
}

type Shown = { readonly key: KeyView } & Pick<MintedKey, 'secret'>;

/** How its user is written down: two keys may have one name. */
const actorOf = ({ name, id }: KeyState): string => `${name} (key ${id})`;

const refused = ({ code, detail, remedy }: Extract<KeyDecision, { outcome: 'refused' }>): ProblemError =>
  new ProblemError(409, code, 'The key cannot be changed', detail, [{ path: 'id', message: detail, remedy }]);
