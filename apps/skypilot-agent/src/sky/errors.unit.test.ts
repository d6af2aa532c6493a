import { describe, expect, test } from '@jest/globals';
import { classify, classifyLog } from './errors.js';

const PROVISION = 'Failed to provision all possible launchable resources.';
const image = 'vllm/vllm-openai:v9';

describe('what an error means', () => {
  test.each([
    [`sky.exceptions.ResourcesUnavailableError: ${PROVISION} No capacity.`, 'capacity', true],
    [`sky.exceptions.ResourcesUnavailableError: ${PROVISION} Quota exceeded for GPUS_ALL_REGIONS.`, 'quota', true],
    [`sky.exceptions.ResourcesUnavailableError: ${PROVISION} Insufficient balance on the account.`, 'quota', true],
    [
      'sky.exceptions.ResourcesUnavailableError: Catalog does not contain any instances satisfying the request.',
      'config',
      true,
    ],
    ['sky.exceptions.NoCloudAccessError: no cloud is enabled.', 'auth', true],
    ['sky.exceptions.InvalidCloudCredentials: 401 Unauthorized.', 'auth', true],
    ['sky.exceptions.ApiServerAuthenticationError: Run `sky api login`.', 'auth', true],
    ['sky.exceptions.PermissionDeniedError: no permission for this workspace.', 'auth', true],
    ['sky.exceptions.ClusterOwnerIdentityMismatchError: The cluster is owned by account x.', 'auth', true],
    [
      'sky.exceptions.InvalidClusterNameError: Cluster name "A_" is invalid; ensure it is fully matched by regex',
      'bug',
      true,
    ],
    ['sky.exceptions.ResourcesMismatchError: Requested resources do not match the existing cluster.', 'config', true],
    ['sky.exceptions.NotSupportedError: The cloud does not support ports.', 'config', true],
    ['sky.exceptions.APIVersionMismatchError: The client version is too old.', 'config', true],
    ['sky.exceptions.UserRequestRejectedByPolicy: not on Fridays.', 'config', true],
    ['sky.exceptions.ClusterDoesNotExist: Cluster dv-a does not exist.', 'not-found', true],
    ["ValueError: Cluster 'dv-a' not found.", 'not-found', true],
    ["ValueError: Invalid task YAML: Additional properties are not allowed ('x' was unexpected)", 'config', true],
    ["ValueError: Cloud 'nowhere' is not a valid cloud among RunPod, Vast.", 'config', true],
    ["ValueError: Secret 'K' has no value. Set it with --secret K=value.", 'config', true],
    ['AssertionError: Trying to launch cluster dv-a recently terminated', 'transient', true],
    ['sky.exceptions.ClusterSetUpError: Failed to setup.', 'transient', false],
    [`sky.exceptions.ClusterSetUpError: ErrImagePull: manifest unknown for ${image}`, 'config', true],
    ['sky.exceptions.ClusterSetUpError: ImagePullBackOff: unexpected EOF', 'transient', true],
    ['sky.exceptions.ClusterSetUpError: no space left on device', 'config', true],
    ['sky.exceptions.CommandError: Command ssh failed with return code 255.', 'transient', false],
    ['sky.exceptions.ApiServerConnectionError: Could not connect to SkyPilot API server.', 'transient', false],
    ['sky.exceptions.ExecutionPoolFullError: busy', 'transient', false],
    ['sky.exceptions.RequestCancelled: Request 1 has been cancelled.', 'transient', false],
    ['sky.exceptions.VastOfferUnavailableError: the offer is gone', 'capacity', true],
    [
      "requests.exceptions.ConnectionError: HTTPConnectionPool(host='127.0.0.1', port=46580): Max retries exceeded",
      'transient',
      false,
    ],
    [
      "ValueError: 'dv-abc' cluster not found. Please specify a single cluster to show its endpoint(s).\nUsage: `sky status --endpoint port <cluster>`",
      'not-found',
      true,
    ],
    ['sky.exceptions.CloudError: requests error (ConnectionError): no route', 'unknown', false],
    ['sky.exceptions.SomethingNew: nobody knows', 'unknown', false],
    ['RuntimeError: boom', 'unknown', false],
    ['Aborted!', 'unknown', false],
    ['', 'unknown', false],
  ])('%s', (stderr, errorClass, definite) =>
    expect(classify(`${stderr}\n`, 1)).toMatchObject({ class: errorClass, definite }),
  );

  test('a misuse of the command line is a defect of ours and certain to have done nothing', () => {
    const stderr = 'Usage: sky launch [OPTIONS]\n\nError: No such option: --frobnicate\n';
    expect(classify(stderr, 2)).toMatchObject({ class: 'bug', definite: true });
  });

  test('the last exception counts, whatever is printed around it', () => {
    const stderr =
      '\u001b[31mTraceback: skipped\u001b[0m\nValueError: Invalid port\n\nsky.exceptions.NoCloudAccessError: none\nHint: see docs\n';
    expect(classify(stderr, 1)).toMatchObject({ class: 'auth', exception: 'NoCloudAccessError' });
  });

  test('secrets do not get into the detail', () => {
    const verdict = classify('sky.exceptions.CommandError: docker login -p hunter2-secret failed', 1, [
      'hunter2-secret',
    ]);
    expect(verdict.detail).not.toContain('hunter2');
  });
});

describe('what a log tells of a failed start', () => {
  test.each([
    ['Launching on runpod.\n\u001b[33mErrImagePull: manifest unknown: the tag does not exist.\u001b[0m', 'config'],
    ['a\nno space left on device\nb', 'config'],
    ['RunPod: negative balance', 'quota'],
    ['everything is fine', undefined],
  ])('%j', (log, errorClass) => expect(classifyLog(log)).toBe(errorClass));
});
