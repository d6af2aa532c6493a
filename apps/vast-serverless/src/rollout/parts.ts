import type { ResourceTimings } from '@davit/domain';
import type { EvidenceStore } from '@davit/event-log';
import type { ProviderBackend } from '@davit/provider-kit';
import type { LoadParts } from '../load/load-parts.js';
import type { Prompt } from '../load/prompts/prompt.js';
import type { RolloutMeters } from '../telemetry/meters.js';
import type { VastClient } from '../vast/client.js';
import type { SecretSource } from '../vast/template/candidate.js';
import type { RolloutPace } from './pace.js';

/** What rollouts are carried out with. */
export interface RolloutParts extends LoadParts {
  readonly client: VastClient;
  /** Makes, observes and removes canaries, as it does the endpoints of replicas. */
  readonly backend: ProviderBackend;
  readonly evidence: EvidenceStore;
  /** @throws PromptsError for a file that cannot be used */
  readonly prompts: (file: string) => Promise<readonly Prompt[]>;
  readonly secrets: SecretSource;
  readonly installation: string;
  readonly timings: ResourceTimings;
  readonly pace: RolloutPace;
  /** Counts what is decided; left out, nobody does. */
  readonly meters?: RolloutMeters;
}
