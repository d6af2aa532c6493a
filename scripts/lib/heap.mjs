/**
 * Size of the heap that new objects live in, in MiB. A plan makes thousands of objects that live as long as its answer: in a
 * small heap each is copied twice on the way. Services that make no plans keep a small one, since all of it stays resident.
 */
const PLANS_MIB = 32;
const PLAIN_MIB = 4;
/** It makes a plan when somebody asks for one, and tells events all the time: those fill whatever it is given, little by little. */
const FRONT_MIB = 16;

/** @type {ReadonlyMap<string, string[]>} */
const FLAGS = new Map([
  ['spec-api', flagsOf(FRONT_MIB)],
  ['orchestrator', flagsOf(PLANS_MIB)],
]);

/**
 * @param {string} service
 * @returns {string[]} flags of Node
 */
export const heapFlags = (service) => FLAGS.get(service) ?? flagsOf(PLAIN_MIB);

/**
 * @param {number} mib
 * @returns {string[]}
 */
function flagsOf(mib) {
  return [`--max-semi-space-size=${mib}`];
}
