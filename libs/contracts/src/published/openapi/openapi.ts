import { OPERATIONS } from '../../api/operations/all.js';
import { CONTRACT_VERSION } from '../version.js';
import { operationObject } from './operation.js';
import { HEADERS, headerReferences, problemResponses } from './problems.js';
import { operationShapes } from './shapes.js';

/** OpenAPI 3.1 document of spec-api, made of the schemas that read its requests. */
export function openApiDocument(): object {
  const shapes = operationShapes();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, shapes),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Davit',
      version: CONTRACT_VERSION,
      summary: 'Deployments of language models, declared, found a place and kept',
      description:
        'What is no success is a problem document (RFC 9457). Answers may gain members: readers pass over those that they do not know.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, {}],
    tags: [...new Set(OPERATIONS.map(({ tag }) => tag))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key or a token of the identity provider; on the machine itself nothing, where no access is set up.',
        },
      },
      parameters: {
        IfNoneMatch: {
          name: 'if-none-match',
          in: 'header',
          description: 'The ETag of the answer before: 304 and no body while nothing changed.',
          schema: { type: 'string' },
        },
      },
      headers: HEADERS,
      responses: {
        NotModified: { description: 'Nothing changed since that answer.', headers: headerReferences(['ETag']) },
        ...problemResponses(),
      },
      schemas: shapes.components,
    },
  };
}
