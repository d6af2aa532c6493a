export { IntentAnswers, type IntentAnswersOptions } from './answers/intent-answers.js';
export { intentDigest } from './answers/digest.js';
export { type Bus, type BusOptions, type BusStatus, connectBus } from './connection.js';
export { type DeadLetter, type DeadLetterKind, readDeadLetter } from './dead-letters/dead-letter.js';
export { DeadLetterProcessor } from './dead-letters/processor.js';
export { storeDeadLetter } from './dead-letters/store.js';
export * from './errors.js';
export { type FeedStats } from './feed/feed-subscription.js';
export { type JetStreamLogFeed, type LogFeedOptions, jetStreamLogFeed } from './feed/log-feed.js';
export { type Reply, type RequestOptions, request, requestIntent } from './request.js';
export { RpcProblemError, problem } from './rpc-problem.js';
export { BusContext, type MessageFacts } from './strategy/context.js';
export { BusEvent } from './strategy/decorators.js';
export type { AroundHandler } from './strategy/run-handler.js';
export { BusErrorFilter } from './strategy/error-filter.js';
export {
  JetStreamStrategy,
  type JetStreamStrategyOptions,
  type StrategyStats,
  intentEvents,
} from './strategy/jetstream-strategy.js';
export { MAX_INTENT_BYTES, deadLettersStream, intentsStream } from './streams/definitions.js';
export { type TenantEvent, TenantsStream } from './streams/tenants.js';
export { ensureStreams } from './streams/ensure.js';
export { busHeaders, busSubjects, subjectMatches } from './subjects.js';
