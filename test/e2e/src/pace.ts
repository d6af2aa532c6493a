/**
 * Davit's own waits, shortened so that the demo shows a whole life in seconds. The simulated outside is as much faster
 * than a real one. Everything else is as in production.
 */
export const DEMO_PACE: Readonly<Record<string, string>> = {
  DAVIT_RESOURCE_LOOK: '250ms',
  DAVIT_RESOURCE_STEADY_LOOK: '2s',
  DAVIT_ABSENCE_SPACING: '1s',
  DAVIT_LAUNCH_TIMEOUT: '15s',
  DAVIT_LAUNCH_VISIBILITY: '3s',
  DAVIT_DELETE_RETRY: '5s',
  DAVIT_DEFER: '2s',
  DAVIT_ADVICE_CACHE: '1s',
  DAVIT_ADVICE_LIFETIME: '5s',
  DAVIT_PROBE_START: '100ms',
  DAVIT_PROBE_STEADY: '500ms',
  DAVIT_PROBE_HANG: '3s',
  DAVIT_PROBE_INFERENCE_TIMEOUT: '3s',
};

/** What lost its owner is found and ended within a run, without anybody who approves it. */
export const ORPHANS_GO: Readonly<Record<string, string>> = {
  DAVIT_INVENTORY_EVERY: '2s',
  DAVIT_ORPHAN_QUARANTINE: '10s',
  DAVIT_ORPHAN_POLICY: 'auto',
};
