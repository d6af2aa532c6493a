/**
 * Davit's own waits, shortened so that the demo shows a whole life in seconds. The simulated outside is as much faster
 * than a real one. Everything else is as in production.
 */
export const DEMO_PACE: Readonly<Record<string, string>> = {
  DAVIT_LOOK_MS: '250',
  DAVIT_STEADY_LOOK_MS: '2000',
  DAVIT_ABSENCE_SPACING_MS: '1000',
  DAVIT_VISIBILITY_MS: '3000',
  DAVIT_DELETE_RETRY_MS: '5000',
  DAVIT_START_PROBE_MS: '200',
  DAVIT_STEADY_PROBE_MS: '500',
};
