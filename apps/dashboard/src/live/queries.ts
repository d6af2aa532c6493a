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
import { type UseQueryResult, keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Query, get } from '../api/http.js';
import { useAt } from '../time/at.js';
import type { Rows } from './rows.js';

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

const REPLICA = ['replica', 'resource', 'endpoint', 'runtime', 'route', 'fleet', 'deployment'];

export const useDeployments = (): UseQueryResult<Rows<DeploymentView>> =>
  useAnswer('/v1/deployments', {}, ['deployment', 'replica']);

export const useReplicas = (query: Query = {}): UseQueryResult<Rows<ReplicaView>> =>
  useAnswer('/v1/replicas', query, REPLICA);

export type DeploymentDetail = DeploymentView & {
  readonly spec: NormalisedDeployment;
  readonly replicas: readonly ReplicaView[];
  readonly paused?: { readonly since: string; readonly reason: string; readonly actor: string | null } | null;
};
export const useDeployment = (key: string): UseQueryResult<DeploymentDetail> =>
  useAnswer(`/v1/deployments/${key}`, {}, REPLICA);

export const useRoutes = (): UseQueryResult<Rows<RouteView>> => useAnswer('/v1/routes', {}, ['route']);
export const useAlarms = (): UseQueryResult<Rows<AlarmView>> => useAnswer('/v1/alarms', {}, ['fleet']);
export const useFleet = (): UseQueryResult<FleetView> => useAnswer('/v1/fleet', {}, ['fleet', 'replica']);
export const useOrphans = (): UseQueryResult<Rows<OrphanView>> => useAnswer('/v1/orphans', {}, ['resource', 'fleet']);
export const useBudgets = (): UseQueryResult<Rows<BudgetView>> =>
  useAnswer('/v1/budgets', {}, ['replica', 'deployment', 'tenant']);
export const useRollouts = (query: Query = {}): UseQueryResult<Rows<RolloutView>> =>
  useAnswer('/v1/rollouts', query, ['rollout', 'deployment']);
export const useCost = (query: Query): UseQueryResult<CostView> =>
  useAnswer('/v1/cost', query, ['replica', 'resource']);
