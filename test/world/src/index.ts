export { createWorld, WORLD_HOSTS, type World, type WorldOptions, type TimingOverrides } from './world.js';
export { type WorldClock, type WorldRandom, realClock, seeded } from './clock.js';
export { DEFAULT_TIMINGS, OBSERVED_VAST_TIMINGS, type VastTimings, type WorldTimings } from './timings.js';
export { type WireHandler, type WireReply, type WireRequest, type WireResponse, wholeBody } from './http/wire.js';
export { serve, type RunningServer } from './http/node-server.js';
export { type Call, type CallLog } from './calls.js';
export { type Ledger, type LedgerEntry, type LedgerReport, type BillingSegment } from './ledger.js';
export { type FaultBook, type FaultEffect, type FaultRule, type FaultService, type LaunchFailure } from './faults.js';
export { type Cloud, type Machine, type MachinePhase } from './cloud/cloud.js';
export { type Stock, type StockChange, type StockLevel } from './cloud/stock.js';
export { GPU_TYPES, type GpuType } from './cloud/gpus.js';
export { type Address, type MachineHost, type ServerHandle } from './cloud/host.js';
export { MemoryHost } from './hosts/memory-host.js';
export { ProcessHost } from './hosts/process-host.js';
export { type ModelServerConfig, type ServerChange, MODEL_SERVER_DEFAULTS } from './model-server/config.js';
export { type ModelFault } from './model-server/faults.js';
export { PROFILES, PROFILE_VERSIONS, type Profile } from './model-server/profiles.js';
export { NO_TRAFFIC, type Traffic } from './model-server/traffic.js';
export { type KeysAtHost, type KeysSeen } from './cloud/keys-seen.js';
export { ModelServer, type ServerEvents } from './model-server/server.js';
export { type SkyInput } from './sky/caller.js';
export { type SkyOutcome } from './sky/context.js';
export { controlHandler } from './control.js';
export { type Vast } from './vast/vast.js';
export { type VastOptions, VAST_DEFAULTS } from './vast/options.js';
export {
  type VastFault,
  type VastFaultKind,
  type VastFaultRule,
  type VastTarget,
  VAST_FAULT_KINDS,
} from './vast/defects.js';
export { type TrueWorker, type VastTruth } from './vast/truth.js';
export { type WorkerStatus } from './vast/entities.js';
