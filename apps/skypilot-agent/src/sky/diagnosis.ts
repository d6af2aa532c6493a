import type { ErrorClass } from '@davit/contracts';
import { type Diagnosis, redact, stripAnsi } from '@davit/provider-kit';

interface DiagnosisRule {
  readonly boundary: string;
  readonly class: ErrorClass;
  readonly text: RegExp;
  readonly remedy: string;
  /** It may only be what follows from another cause, so any other rule is believed first. */
  readonly symptom?: boolean;
}

/**
 * What the logs of a start say about where it is stuck. Of two rules that match one line the first wins. Texts are those of
 * Docker, containerd, the NVIDIA container toolkit, PyTorch, vLLM, the Hugging Face hub, the kernel and OpenSSH.
 */
export const DIAGNOSES: readonly DiagnosisRule[] = [
  {
    boundary: 'model-not-found',
    class: 'config',
    // The hub answers 401 for a repository that does not exist, too.
    text: /RepositoryNotFoundError|Repository Not Found for url|RevisionNotFoundError|Revision Not Found|is not a local folder and is not a valid model identifier|404 Client Error: .*huggingface\.co/i,
    remedy:
      'Correct spec.model.id or spec.model.revision; if the model is private, add a token that may read it to spec.secrets.',
  },
  {
    boundary: 'gated-model',
    class: 'auth',
    text: /GatedRepoError|gated repo|Access to model \S+ is restricted|awaiting a review from the repo authors|40[13] Client Error: .*huggingface\.co|Invalid user token/i,
    remedy:
      "Accept the model's terms with the account that the token belongs to, and give the deployment that token in spec.secrets.",
  },
  {
    boundary: 'gpu-memory',
    class: 'config',
    text: /CUDA out of memory|torch\.(?:cuda\.)?OutOfMemoryError|CUDA_ERROR_OUT_OF_MEMORY|No available memory for the cache blocks|KV cache is needed, which is larger than the available|Free memory on device .* is less than desired/i,
    remedy:
      'Lower --max-model-len or --gpu-memory-utilization in spec.runtime.args, or name a larger accelerator or more of them in spec.compute.placements.',
  },
  {
    boundary: 'host-memory',
    class: 'config',
    text: /Out of memory: Killed process|OOMKilled|oom-kill:|Cannot allocate memory|exited with code 137|^MemoryError\b/i,
    remedy: 'The machine has too little memory for loading the model: name an accelerator whose machines have more.',
  },
  {
    boundary: 'cuda-architecture',
    class: 'config',
    text: /no kernel image is available for execution|is not compatible with the current PyTorch installation/i,
    remedy: 'Name an image that is built for this accelerator in spec.runtime.image, or another accelerator.',
  },
  {
    boundary: 'driver',
    class: 'transient',
    text: /CUDA driver version is insufficient|NVIDIA driver on your system is too old|forward compatibility was attempted on non supported HW|requirement error: unsatisfied condition: cuda|Driver\/library version mismatch|Failed to initialize NVML|No CUDA GPUs are available/i,
    remedy:
      'The driver of this one machine does not fit the image. Another start may land on a machine with a newer driver; an image for an older CUDA runs on both.',
  },
  {
    boundary: 'port',
    class: 'config',
    text: /Address already in use|EADDRINUSE|port \d+ is already in use/i,
    remedy: 'Another program of the image holds the port: choose another spec.runtime.port.',
  },
  {
    boundary: 'disk-full',
    class: 'config',
    text: /no space left on device|disk quota exceeded|DiskPressure|low on resource: ephemeral-storage|\bENOSPC\b/i,
    remedy: 'Raise spec.compute.diskGiB: it must hold the image, the packages and the weights of the model.',
  },
  {
    boundary: 'image-rate-limited',
    class: 'transient',
    text: /toomanyrequests|pull rate limit|429 Too Many Requests/i,
    remedy: 'The registry limits anonymous pulls. Wait, or name a copy of the image in a registry without that limit.',
  },
  {
    boundary: 'image-missing',
    class: 'config',
    text: /manifest unknown|manifest for \S+ not found|failed to resolve reference .*: not found|InvalidImageName|invalid reference format/i,
    remedy: 'No such image: correct spec.runtime.image or spec.runtime.version.',
  },
  {
    boundary: 'image-unauthorised',
    class: 'auth',
    text: /pull access denied|unauthorized: authentication required|denied: requested access to the resource is denied|no basic auth credentials|insufficient_scope/i,
    remedy:
      'The registry does not let us read the image: correct its name, or add SKYPILOT_DOCKER_USERNAME, SKYPILOT_DOCKER_PASSWORD and SKYPILOT_DOCKER_SERVER to spec.secrets.',
  },
  {
    boundary: 'image-pull',
    class: 'transient',
    text: /ErrImagePull|ImagePullBackOff|failed to register layer|failed to copy: |error pulling image|unexpected EOF|TLS handshake timeout/i,
    remedy: 'The pull was cut off. Wait: it is tried again, and a start on another machine pulls anew.',
    symptom: true,
  },
  {
    boundary: 'ssh',
    class: 'transient',
    text: /during banner exchange|ssh: connect to host \S+ port \d+: |kex_exchange_identification|failed with return code 255/i,
    remedy:
      'The machine runs but does not let SkyPilot in. Wait for the start deadline; if other starts of this image end here too, the image lacks what sshd needs.',
    symptom: true,
  },
];

/** Reads the logs of a start; of several causes, the one that was printed last. Nothing secret gets into the result. */
export function diagnose(log: string, secrets: readonly string[]): Diagnosis | undefined {
  const lines = stripAnsi(log).split(/\r?\n/);
  for (const symptom of [false, true]) {
    const rules = DIAGNOSES.filter((rule) => (rule.symptom ?? false) === symptom);
    for (const line of lines.toReversed()) {
      const rule = rules.find(({ text }) => text.test(line));
      if (rule)
        return { boundary: rule.boundary, class: rule.class, detail: redact(line, secrets, 300), remedy: rule.remedy };
    }
  }
  return undefined;
}

/** A start that is older than starts are, and whose logs show no reason. */
export const stuck = (ageMs: number, where: string): Diagnosis => ({
  boundary: 'stuck-provisioning',
  class: 'transient',
  detail: `${where} for more than ${Math.floor(ageMs / 60_000)} minutes, and no log says why`,
  remedy:
    'Wait for the start deadline, which ends this machine before another one is asked for; or name another placement first.',
});
