export { eventSchemas } from './events.js';
export { type PublishedName, PUBLISHED_NAMES, publishedFile } from './files.js';
export type { JsonSchema } from './json-schema.js';
export { CONTRACT_VERSION } from './version.js';
