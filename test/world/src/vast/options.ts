/** How the emulated service behaves where the real one is undocumented or sources disagree. */
export interface VastOptions {
  readonly apiKey: string;
  /** Salt for the digests by which model servers know their keys. */
  readonly salt: string;
  /** Minimum intervals between calls, as a share of the published ones; 0 turns 429 off. */
  readonly minIntervalScale: number;
  /** The four bodies of a 429 that have been seen. */
  readonly tooFrequentBody: 'text' | 'threshold' | 'detail' | 'json';
  readonly unknownKey: 404 | 401;
  readonly emptyEndpointList: 'error' | 'empty';
  readonly workersShape: 'array' | 'object';
  readonly createWorkergroupId: 'id' | 'result';
  readonly putEndpoint: 'merge' | 'reset-omitted';
  readonly createTemplate: 'upsert-on-name' | 'always-new';
  /** Workers that a delete leaves running and reports as failed. */
  readonly failedOnDelete: number;
}

export const VAST_DEFAULTS: Omit<VastOptions, 'apiKey' | 'salt'> = {
  minIntervalScale: 0,
  tooFrequentBody: 'threshold',
  unknownKey: 404,
  emptyEndpointList: 'error',
  workersShape: 'array',
  createWorkergroupId: 'id',
  putEndpoint: 'merge',
  createTemplate: 'upsert-on-name',
  failedOnDelete: 0,
};
