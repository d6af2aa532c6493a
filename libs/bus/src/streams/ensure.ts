import { type JetStreamManager, NatsError, type StreamConfig } from 'nats';
import type { Bus } from '../connection.js';
import { StreamConflictError } from '../errors.js';
import { type StreamDefinition, deadLettersStream, intentsStream } from './definitions.js';

/** True when the broker says that the stream does not exist. */
export const isStreamMissing = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.err_code === 10059;

/** True when the broker says that the stream holds no such message. */
export const isMessageMissing = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.err_code === 10037;

/** True when the broker has a consumer of that name with other settings. */
export const isConsumerDifferent = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.err_code === 10148;

/** The broker answers so when another instance created the same stream with other settings a moment ago. */
const isNameInUse = (error: unknown): boolean => error instanceof NatsError && error.api_error?.err_code === 10058;

/**
 * Creates INTENTS and DEADLETTERS where they are missing and brings their settings back where they differ.
 * Safe to call from many instances at once. LOG belongs to the relay and is not touched.
 * @throws StreamConflictError when retention or storage differ, which the broker cannot change in place
 */
export async function ensureStreams(bus: Bus, replicas = 1): Promise<void> {
  const manager = await bus.connection.jetstreamManager({ checkAPI: false });
  for (const definition of [deadLettersStream, intentsStream]) {
    const change = await ensureStream(manager, { ...definition, num_replicas: replicas });
    if (change !== 'none') bus.logger.info({ stream: definition.name, change }, 'stream settings written');
  }
}

async function ensureStream(
  manager: JetStreamManager,
  wanted: StreamDefinition,
): Promise<'created' | 'repaired' | 'none'> {
  const found = await findConfig(manager, wanted.name);
  if (!found) {
    try {
      await manager.streams.add(wanted);
      return 'created';
    } catch (error) {
      if (!isNameInUse(error)) throw error;
      return ensureStream(manager, wanted);
    }
  }
  for (const property of ['retention', 'storage'] as const) {
    if (found[property] !== wanted[property]) {
      throw new StreamConflictError(wanted.name, property, found[property], wanted[property]);
    }
  }
  if (!differs(found, wanted)) return 'none';
  await manager.streams.update(wanted.name, { ...found, ...wanted });
  return 'repaired';
}

async function findConfig(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (isStreamMissing(error)) return undefined;
    throw error;
  }
}

function differs(found: StreamConfig, wanted: StreamDefinition): boolean {
  const present = new Map<string, unknown>(Object.entries(found));
  return Object.entries(wanted).some(([key, value]) => {
    const there = present.get(key);
    return JSON.stringify(normal(there)) !== JSON.stringify(normal(value));
  });
}

// The broker leaves out settings that are off, and may list subjects in another order.
const normal = (value: unknown): unknown => (Array.isArray(value) ? value.map(String).sort() : (value ?? false));
