import type { Ids } from '@davit/ports';
import { v5 } from 'uuid';

/** Namespace of ids derived from idempotency keys; must never change, since repeated commands must find the same ids. */
const NAMESPACE = 'b1b6f9ac-2f5e-5b0e-9c52-6a1f0a4f7d10';

/**
 * Ids for the events of one append: derived from the idempotency key where there is one, so that a repeated command
 * makes the same ids; fresh ones otherwise.
 */
export function eventIdSource(ids: Ids, tenant: string, idempotencyKey: string | undefined): (index: number) => string {
  if (idempotencyKey === undefined) return () => ids.uuid();
  return (index) => v5(JSON.stringify([tenant, idempotencyKey, index]), NAMESPACE);
}
