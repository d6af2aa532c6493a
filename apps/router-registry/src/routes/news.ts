import {
  type DeploymentState,
  type ReplicaState,
  type RouteState,
  isGone,
  routeFactsOfDeployment,
  routeFactsOfReplica,
} from '@davit/domain';
import type { Document, DocumentRef } from '@davit/projection';

/**
 * Which documents are news to the routes: their facts are not those that were told before. Every document is told again at each walk,
 * so that a wake-up that was lost is seen by what it was about; what is the same leads to no look at an alias.
 */
export class News {
  private readonly facts = new Map<string, string>();
  /** Version of each route table that was found right. */
  private readonly settled = new Map<string, number>();

  /** True once for each change of what routes rest on. */
  take({ kind, key }: DocumentRef, document: Document): boolean {
    switch (kind) {
      // The lifecycle fold keeps documents of one shape under each of these kinds.
      case 'route':
        return this.settled.get(key) !== (document as RouteState).version;
      case 'replica':
        return this.takeReplica(document as ReplicaState);
      case 'deployment':
        return this.isNew(`${kind} ${key}`, routeFactsOfDeployment(document as DeploymentState));
      default:
        return false;
    }
  }

  /** The table of an alias is right at this version, as far as what it rests on was told. */
  settle(alias: string, version: number): void {
    this.settled.set(alias, version);
  }

  /** Those of the past are there for good, and not kept in mind. */
  private takeReplica(replica: ReplicaState): boolean {
    const id = `replica ${replica.id}`;
    return isGone(replica) ? this.facts.delete(id) : this.isNew(id, routeFactsOfReplica(replica));
  }

  private isNew(id: string, facts: string): boolean {
    if (this.facts.get(id) === facts) return false;
    this.facts.set(id, facts);
    return true;
  }
}
