/** Every call that advisors make of providers, by the source it stands for. None of them changes anything. */
export const ADVISOR_CALLS = {
  'runpod-v2': {
    method: 'GET',
    /** As fault rules and call logs name it. */
    route: '/v2/catalog/gpus/*',
    path: (gpuId: string): string => `/v2/catalog/gpus/${encodeURIComponent(gpuId)}`,
  },
  /** Its address is told as a whole. */
  'runpod-graphql': { method: 'POST', route: '/graphql' },
  'vast-offers': {
    method: 'POST',
    route: '/api/v0/bundles/',
    /** The slash at the end belongs to the address. */
    path: (): string => '/api/v0/bundles/',
  },
} as const;
