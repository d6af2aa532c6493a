import type {
  AlarmView,
  BudgetView,
  CostView,
  DeploymentView,
  FleetView,
  NormalisedDeployment,
  OrphanView,
  ReplicaView,
  RolloutView,
  RouteView,
} from '@davit/contracts';
import { type UseQueryResult, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Query, get } from '../api/http.js';
import { useAt } from '../time/at.js';
import { type Keyed, NOWHERE, type Rows, mergeRows } from './rows.js';

/**
 * What the server has at a path, of the instant that the page shows; asked anew when events of these categories come. What is
 * past does not change, and is not.
 */
export function useAnswer<Answer>(
  path: string,
  query: Query,
  follows: readonly string[],
  options: { readonly enabled?: boolean } = {},
): UseQueryResult<Answer> {
  const at = useAt();
  return useQuery({
    queryKey: [path, query, at ?? 'now'],
    queryFn: ({ signal }) => get<Answer>(path, { ...query, at }, signal),
    ...(at === undefined ? { meta: { follows } } : {}),
    placeholderData: keepPreviousData,
    ...options,
  });
}

/** A list of the instant that the page shows. While the page is live, only what changed since is asked for. */
function useRows<Row>(
  path: string,
  query: Query,
  follows: readonly string[],
  keyed: Keyed<Row>,
): UseQueryResult<Rows<Row>> {
  const at = useAt();
  const client = useQueryClient();
  const queryKey = [path, query, at ?? 'now'];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Rows<Row>>(queryKey);
      if (at !== undefined || known?.next === undefined || known.position === NOWHERE) {
        return get<Rows<Row>>(path, { ...query, at }, signal);
      }
      const changed = await get<Rows<Row>>(path, { ...query, changedAfter: known.position }, signal);
      return mergeRows(known, changed, keyed);
    },
    ...(at === undefined ? { meta: { follows, rows: true } } : {}),
    // Rows are merged here, and those that did not change stay the same objects.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
}

const REPLICA = ['replica', 'resource', 'endpoint', 'runtime', 'route', 'fleet', 'deployment'];

export const useDeployments = (): UseQueryResult<Rows<DeploymentView>> =>
  useRows('/v1/deployments', {}, ['deployment', 'replica'], {
    keyOf: ({ tenant, name }) => `${tenant}/${name}`,
    isGone: ({ status }) => status === 'deleted',
  });

export const useReplicas = (query: Query = {}): UseQueryResult<Rows<ReplicaView>> =>
  useRows('/v1/replicas', query, REPLICA, {
    keyOf: ({ id }) => id,
    isGone: ({ state }) => state === 'deleted' && query['all'] !== true,
  });

export type DeploymentDetail = DeploymentView & {
  readonly spec: NormalisedDeployment;
  readonly replicas: readonly ReplicaView[];
};
export const useDeployment = (key: string): UseQueryResult<DeploymentDetail> =>
  useAnswer(`/v1/deployments/${key}`, {}, REPLICA);

export const useRoutes = (): UseQueryResult<Rows<RouteView>> =>
  useRows('/v1/routes', {}, ['route'], { keyOf: ({ alias }) => alias, isGone: () => false });
export const useAlarms = (): UseQueryResult<Rows<AlarmView>> => useAnswer('/v1/alarms', {}, ['fleet']);
export const useFleet = (): UseQueryResult<FleetView> => useAnswer('/v1/fleet', {}, ['fleet', 'replica']);
export const useOrphans = (): UseQueryResult<Rows<OrphanView>> =>
  useAnswer('/v1/orphans', {}, ['resource', 'endpoint', 'fleet']);
export const useBudgets = (): UseQueryResult<Rows<BudgetView>> =>
  useAnswer('/v1/budgets', {}, ['replica', 'deployment', 'tenant']);
export const useRollouts = (query: Query = {}): UseQueryResult<Rows<RolloutView>> =>
  useAnswer('/v1/rollouts', query, ['rollout', 'deployment']);
export const useCost = (query: Query): UseQueryResult<CostView> =>
  useAnswer('/v1/cost', query, ['replica', 'resource']);
