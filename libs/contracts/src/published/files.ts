import { asyncApiDocument } from './asyncapi/asyncapi.js';
import { deploymentFile } from './deployment.js';
import { eventsFile } from './events.js';
import { UNSAID } from './json-schema.js';
import { openApiDocument } from './openapi/openapi.js';

const WRITERS = {
  'openapi.json': openApiDocument,
  'asyncapi.json': asyncApiDocument,
  'deployment.schema.json': deploymentFile,
  'events.schema.json': eventsFile,
} as const;

export type PublishedName = keyof typeof WRITERS;

/** Names of the files of the published contract, as they stand in docs/reference and are served. */
export const PUBLISHED_NAMES = Object.keys(WRITERS) as readonly PublishedName[]; // the keys are known

/**
 * Text of a published file, the same bytes at every call.
 * @throws Error where something in it cannot be said in JSON Schema
 */
export function publishedFile(name: PublishedName): string {
  const text = `${JSON.stringify(WRITERS[name](), null, 2)}\n`;
  if (text.includes(`"${UNSAID}"`)) throw new Error(`${name} would hold a schema that only code can check`);
  return text;
}
