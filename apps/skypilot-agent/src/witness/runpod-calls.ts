/** Every call that the witness of RunPod makes (https://docs.runpod.io/api-reference-v2, read November 2026). */
export const RUNPOD_CALLS = {
  'list-pods': {
    method: 'GET',
    /** As fault rules and call logs name it. */
    route: '/v2/pods',
    mutates: false,
    /** Members of clusters are left out unless asked for; older servers know no pages and ignore `limit`. */
    path: (limit: number, cursor: string | null): string =>
      `/v2/pods?includeClusterPods=true&limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
  },
  'terminate-pod': {
    method: 'DELETE',
    route: '/v2/pods/*',
    mutates: true,
    path: (id: string): string => `/v2/pods/${encodeURIComponent(id)}`,
  },
} as const;

export type RunPodCall = keyof typeof RUNPOD_CALLS;
export type RunPodCallArguments<Name extends RunPodCall> = Parameters<(typeof RUNPOD_CALLS)[Name]['path']>;
