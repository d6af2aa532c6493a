import type { ErrorClass } from '@davit/contracts';
import { redact, stripAnsi } from '@davit/provider-kit';

/** What an error of SkyPilot means. */
export interface Verdict {
  readonly class: ErrorClass;
  /** True when the command refused before the API server can have accepted anything. */
  readonly definite: boolean;
  /** Name of the exception, if one was printed. */
  readonly exception: string | null;
  /** Fit for events and logs. */
  readonly detail: string;
}

interface ErrorRule {
  readonly exception?: RegExp;
  readonly text?: RegExp;
  readonly class: ErrorClass;
  readonly definite: boolean;
}

const rule = (errorClass: ErrorClass, definite: boolean, match: Pick<ErrorRule, 'exception' | 'text'>): ErrorRule => ({
  ...match,
  class: errorClass,
  definite,
});

/**
 * First match wins. Text rules stand first where SkyPilot wraps another cause: a "no resources" error may hide a quota or
 * a negative balance. Classes from the source of SkyPilot, mid-2026.
 */
export const ERROR_RULES: readonly ErrorRule[] = [
  rule('quota', true, {
    text: /quota|limit exceeded|VcpuLimitExceeded|GPUS_ALL_REGIONS|insufficient (funds|credit|balance)|negative balance/i,
  }),
  rule('config', true, { text: /Catalog does not contain any instances|No launchable resource/i }),
  rule('config', true, {
    text: /manifest unknown|manifest for \S+ not found|pull access denied|repository does not exist/i,
  }),
  rule('transient', true, { text: /ErrImagePull|ImagePullBackOff|toomanyrequests/i }),
  rule('config', true, { text: /no space left on device|DiskPressure|\bEvicted\b/i }),
  rule('transient', true, { text: /recently terminated/i }),
  rule('transient', false, { exception: /^KubeAPIUnreachableError$/ }),
  rule('capacity', true, { exception: /^(ResourcesUnavailableError|VastOfferUnavailableError)$/ }),
  rule('auth', true, {
    exception: /^(NoCloudAccessError|InvalidCloudCredentials|InvalidCloudConfigs|CloudUserIdentityError)$/,
  }),
  rule('auth', true, { exception: /^(ApiServerAuthenticationError|PermissionDeniedError)$/ }),
  rule('auth', true, { exception: /^ClusterOwnerIdentityMismatchError$/ }),
  rule('bug', true, { exception: /^InvalidClusterNameError$/ }),
  rule('config', true, {
    exception: /^(InvalidSkyPilotConfigError|ResourcesMismatchError|NotSupportedError|UserRequestRejectedByPolicy)$/,
  }),
  rule('config', true, { exception: /^(APIVersionMismatchError|APINotSupportedError)$/ }),
  rule('not-found', true, { exception: /^ClusterDoesNotExist$/ }),
  rule('transient', false, { exception: /^(ClusterSetUpError|CommandError|VastProvisioningError|ClusterNotUpError)$/ }),
  rule('transient', false, {
    exception:
      /^(ApiServerConnectionError|ServerTemporarilyUnavailableError|RequestInterruptedError|ExecutionRetryableError|ExecutionPoolFullError|ConcurrentWorkerExhaustedError|RequestCancelled|FetchClusterInfoError|ClusterStatusFetchingError|NetworkError|PortDoesNotExistError)$/,
  }),
  rule('transient', false, { exception: /^(ConnectionError|ConnectTimeout|ReadTimeout|Timeout|SSLError)$/ }),
  rule('transient', false, { text: /\b50[234]\b.*(gateway|unavailable)|bad gateway|service unavailable/i }),
  rule('not-found', true, { text: /^ValueError: .*(not found|does not exist)/i }),
  rule('config', true, {
    text: /^ValueError: .*(Invalid task YAML|not a valid cloud|Invalid accelerator|Invalid port|has no value|is reserved|must start with)/i,
  }),
];

const EXCEPTION_LINE = /^(?:[a-z_]\w*\.)*([A-Z]\w*): ?(.*)$/;

/** Reads the last exception of a command's stderr. What is not in the table is unknown and never definite. */
export function classify(stderr: string, exitCode: number, secrets: readonly string[] = []): Verdict {
  const lines = stripAnsi(stderr)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const last = lines.findLast((line) => isException(line)) ?? lines.at(-1) ?? '';
  const detail = redact(last === '' ? `exit code ${exitCode}, and no reason given` : last, secrets);
  if (exitCode === 2 && /^Usage:/m.test(stderr)) return { class: 'bug', definite: true, exception: null, detail };
  const exception = isException(last) ? (EXCEPTION_LINE.exec(last)?.[1] ?? null) : null;
  const found = ERROR_RULES.find(
    (candidate) =>
      (candidate.exception === undefined || (exception !== null && candidate.exception.test(exception))) &&
      (candidate.text === undefined || candidate.text.test(withoutModule(last))),
  );
  return { class: found?.class ?? 'unknown', definite: found?.definite ?? false, exception, detail };
}

/** Reads free text, such as a provision log, for a cause that the table knows. */
export function classifyLog(log: string): ErrorClass | undefined {
  const rules = ERROR_RULES.filter(({ exception, text }) => exception === undefined && text !== undefined);
  const lines = stripAnsi(log).split('\n');
  return rules.find(({ text }) => lines.some((line) => text?.test(line)))?.class;
}

const NOT_EXCEPTIONS = /^(Usage|Error|Try|Warning|Hint|INFO|WARNING|ERROR)$/;

function isException(line: string): boolean {
  const name = EXCEPTION_LINE.exec(line)?.[1];
  return name !== undefined && !NOT_EXCEPTIONS.test(name);
}

const withoutModule = (line: string): string => line.replace(/^(?:[a-z_]\w*\.)+(?=[A-Z])/, '');
