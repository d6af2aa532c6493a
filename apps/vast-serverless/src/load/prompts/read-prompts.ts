import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parsePrompts, type Prompt, PromptsError } from './prompt.js';

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The prompts of a deployment, from a file below the directory that the operator set (`DAVIT_PROMPTS_DIR`). Links that lead out
 * of it are not followed: the name comes with a specification, which others write.
 *
 * @throws PromptsError when there is no directory, no such file in it, or a line that cannot be used
 */
export async function readPrompts(directory: string, name: string): Promise<readonly Prompt[]> {
  if (directory === '') {
    throw new PromptsError(name, null, 'there is no directory to find it in. Set DAVIT_PROMPTS_DIR.');
  }
  const file = await fileBelow(directory, name);
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw new PromptsError(name, null, `has ${size} bytes, and at most ${MAX_BYTES} are read.`);
  return parsePrompts(name, await readFile(file, 'utf8'));
}

async function fileBelow(directory: string, name: string): Promise<string> {
  const root = await real(directory);
  if (root === undefined) throw new PromptsError(name, null, 'DAVIT_PROMPTS_DIR names no directory that can be read.');
  const outside = new PromptsError(name, null, 'lies outside of DAVIT_PROMPTS_DIR. Name a file below it.');
  const wanted = path.resolve(root, name);
  if (!isBelow(root, wanted)) throw outside;
  const file = await real(wanted);
  if (file === undefined || !(await stat(file)).isFile()) {
    throw new PromptsError(name, null, 'is no file below DAVIT_PROMPTS_DIR. Put it there, readable for this service.');
  }
  if (!isBelow(root, file)) throw outside;
  return file;
}

const isBelow = (root: string, file: string): boolean => file.startsWith(root + path.sep);

async function real(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch {
    return undefined;
  }
}
