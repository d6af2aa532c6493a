import type { RouteTarget, RouteView } from '@davit/contracts';
import { snapshotDigest } from '@davit/domain';
import { type RouteTable, tableOf } from '../table.js';

export const target = (ordinal: number, url: string, changes: Partial<RouteTarget> = {}): RouteTarget => ({
  replica: `default/qwen-1-${ordinal}-1`,
  deployment: 'default/qwen',
  revision: 1,
  incarnation: 1,
  generation: 3,
  url,
  model: 'qwen',
  adapters: [],
  weight: 100,
  labels: {},
  price: null,
  ...changes,
});

type Parts = Partial<Pick<RouteView, 'alias' | 'snapshot' | 'position'>> & {
  readonly targets?: readonly RouteTarget[];
  readonly draining?: readonly RouteTarget[];
};

export function view({
  alias = 'default/qwen',
  snapshot = 7,
  position = 1311,
  targets = [],
  draining = [],
}: Parts): RouteView {
  const [tenant = ''] = alias.split('/');
  const left = draining.map((one) => ({ ...one, drainUntil: '2026-01-01T00:10:00.000Z' }));
  return {
    alias,
    tenant,
    model: alias.slice(tenant.length + 1),
    snapshot,
    position,
    digest: snapshotDigest({ targets, draining: left }),
    targets: [...targets],
    draining: left,
  };
}

export const table = (...views: readonly Parts[]): RouteTable => tableOf(views.map(view));
