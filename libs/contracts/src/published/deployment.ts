import { deploymentManifest } from '../spec/manifest.js';
import { type JsonSchema, writeSchemas } from './json-schema.js';
import { named } from './named-shapes.js';

/** The published file: what a user writes, whole in itself, so that editors need nothing else. */
export function deploymentFile(): JsonSchema {
  const schemas = writeSchemas(new Map([[deploymentManifest, 'deployment']]), { io: 'input', root: '#/$defs/' });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:davit:schema:deployment',
    title: 'A deployment as a user writes it',
    ...named(schemas, 'deployment'),
  };
}
