import { asyncApiChanges } from './asyncapi.mjs';
import { eventChanges } from './events.mjs';
import { openApiChanges } from './openapi.mjs';
import { schemaChanges } from './schemas.mjs';

const REMEDIES = {
  contract: 'raise the first number of CONTRACT_VERSION in libs/contracts/src/published/version.ts',
  event: 'raise the version of the event where it is defined, and read the one before through an upcaster',
  specification: 'raise API_VERSION in libs/contracts/src/spec/deployment.ts, and go on reading the one before',
};

/**
 * What the published contract no longer promises though its version did not move; one line each, with the remedy.
 * @param {(name: string) => string} before text of a published file as it was
 * @param {(name: string) => string} after the same as it would be
 * @returns {readonly string[]}
 */
export function brokenPromises(before, after) {
  /** @param {string} name */
  const both = (name) => [JSON.parse(before(name)), JSON.parse(after(name))];
  const [http, httpNow] = both('openapi.json');
  const [bus, busNow] = both('asyncapi.json');
  const [spec, specNow] = both('deployment.schema.json');
  const [events, eventsNow] = both('events.schema.json');
  const { data, others } = eventChanges(events, eventsNow);
  const contract =
    majorOf(httpNow) > majorOf(http)
      ? []
      : [...openApiChanges(http, httpNow), ...asyncApiChanges(bus, busNow), ...others];
  const specification = apiVersionOf(spec) === apiVersionOf(specNow) ? specChanges(spec, specNow) : [];
  return [
    ...told(contract, REMEDIES.contract),
    ...told(data, REMEDIES.event),
    ...told(specification, REMEDIES.specification),
  ];
}

/** @param {readonly string[]} changes @param {string} remedy */
const told = (changes, remedy) =>
  [...new Set(changes)].map((change) => `${change}. Keep it as it was, or ${remedy}; then run npm run docs.`);

/** @param {{ info: { version: string } }} document */
const majorOf = ({ info }) => Number(info.version.split('.')[0]);

/** @param {import('./schemas.mjs').Schema} schema */
const apiVersionOf = (schema) => schema.properties?.['apiVersion']?.const;

/** @param {import('./schemas.mjs').Schema} from @param {import('./schemas.mjs').Schema} to */
const specChanges = (from, to) =>
  schemaChanges({ schema: from, document: from }, { schema: to, document: to }, 'request').map(
    (change) => `the specification: ${change}`,
  );
