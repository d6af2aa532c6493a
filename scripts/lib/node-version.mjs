import { SetupError } from './say.mjs';

/**
 * The range of package.json `engines`: the ends of 20 and 22 where `require` and `import` behave as needed.
 * @param {string} version such as `20.19.0`
 */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
}

/** @throws {SetupError} `node-too-old` */
export function checkNode(version = process.versions.node) {
  if (isSupportedNode(version)) return;
  throw new SetupError(
    'node-too-old',
    `Node ${version} (${process.execPath}) is not supported: 20.19 or a later 20, or 22.12 or later, is needed.`,
  );
}
