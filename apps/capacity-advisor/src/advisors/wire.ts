import type { Clock, HttpClient, Logger } from '@davit/ports';
import type { Pace } from '../gate/pacer.js';
import { ProviderGate } from '../gate/provider-gate.js';
import type { CapacityAdvisorSettings } from '../settings.js';
import type { CapacityMeters } from '../telemetry/meters.js';
import type { StockAdvisor } from './advisor.js';
import type { ADVISOR_CALLS } from './calls.js';
import { type ProviderSettings, providerAdvisor } from './provider.js';
import { runpodGraphql } from './runpod/graphql.js';
import { runpodV2 } from './runpod/v2.js';
import { vastOffers } from './vast/advisor.js';

/** REST v2 allows 60 a minute: 30 at once and 30 within the minute after them. GraphQL publishes no limit and gets the same. */
export const RUNPOD_PACE = { burst: 30, everyMs: 2_000 } as const;

/** Vast allows 10 searches a minute, and counts the time between two. */
export const VAST_PACE = { burst: 1, everyMs: 6_000 } as const;

type Parts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meters?: Pick<CapacityMeters, 'exchanged'>;
};

/** The advisors that can be asked, by cloud. All that ask one host go through one gate. */
export function liveAdvisors(
  { http, clock, logger, meters }: Parts,
  { runpod, vast, timeoutMs, lifetimeMs, cacheMs }: CapacityAdvisorSettings,
): ReadonlyMap<string, StockAdvisor> {
  const gate = (pace: Pace, provider: 'runpod' | 'vast', call: keyof typeof ADVISOR_CALLS): ProviderGate =>
    new ProviderGate(http, clock, {
      pace,
      cacheMs: Math.min(cacheMs, lifetimeMs),
      onExchange: (failure, seconds) => meters?.exchanged(provider, call, failure, seconds),
    });
  const gates = {
    runpod: gate(RUNPOD_PACE, 'runpod', runpod.api === 'graphql' ? 'runpod-graphql' : 'runpod-v2'),
    vast: gate(VAST_PACE, 'vast', 'vast-offers'),
  };
  const settings = (apiKey: string | undefined): ProviderSettings => ({ apiKey, timeoutMs, lifetimeMs });
  const runpodParts = { gate: gates.runpod, clock, logger };
  return new Map([
    [
      'runpod',
      runpod.api === 'graphql'
        ? providerAdvisor(runpodGraphql(runpod.graphqlUrl), runpodParts, settings(runpod.apiKey))
        : providerAdvisor(runpodV2(runpod.baseUrl), runpodParts, settings(runpod.apiKey)),
    ],
    ['vast', providerAdvisor(vastOffers(vast.baseUrl), { gate: gates.vast, clock, logger }, settings(vast.apiKey))],
  ]);
}
