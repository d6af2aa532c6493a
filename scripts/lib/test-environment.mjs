import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** What fake timers stand in for, and what Jest replaces after the environment stands. */
const REPLACED = new Set(['Date', 'Intl', 'Temporal', 'console']);
const LEFT = new Set([...REPLACED, 'eval', 'globalThis']);

/** The names that the language itself defines, and that a script may declare. */
export const BUILT_INS = Object.entries(
  /** @type {PropertyDescriptorMap} */ (vm.runInNewContext('Object.getOwnPropertyDescriptors(globalThis)')),
).flatMap(([name, { configurable }]) => (configurable && !LEFT.has(name) ? [name] : []));

/**
 * Jest's own environment, in whose context the built-ins of the language are constants as well. V8 asks Node about each name that it
 * seeks on the global object of a context, every time, which takes fifty times as long as the same outside of a context and was a
 * quarter of what the tests computed; constants of a script it finds before it asks.
 */
export default class BuiltInsAreConstants extends TestEnvironment {
  /**
   * @param {ConstructorParameters<typeof TestEnvironment>[0]} config
   * @param {ConstructorParameters<typeof TestEnvironment>[1]} context
   */
  constructor(config, context) {
    super(config, context);
    const own = this.getVmContext();
    if (own !== null) vm.runInContext(`const { ${BUILT_INS.join(', ')} } = globalThis;`, own);
  }
}
