/**
 * Size of the heap that new objects live in, in MiB. A plan makes thousands of objects that live as long as its answer: in a
 * small heap each is copied twice on the way. Services that make no plans keep a small one, since all of it stays resident.
 */
const PLANS_MIB = 32;
const PLAIN_MIB = 4;
const PLANNERS = new Set(['spec-api', 'orchestrator']);

/** What Node is told for plans to be quick; the benchmark of plans runs with the same. */
export const PLANNING_FLAGS = [`--max-semi-space-size=${PLANS_MIB}`];

/**
 * @param {string} service
 * @returns {string[]} flags of Node
 */
export const heapFlags = (service) => (PLANNERS.has(service) ? PLANNING_FLAGS : [`--max-semi-space-size=${PLAIN_MIB}`]);
