import { type LaunchFailure } from '../faults.js';
import { SkyError } from './text.js';

interface Failure {
  readonly reason: LaunchFailure;
  readonly text?: string;
}

const UNAVAILABLE = 'Failed to provision all possible launchable resources.';

/** Class and text of each way in which a launch request ends badly. */
const FAILURES: Readonly<Record<LaunchFailure, readonly [className: string, text: string]>> = {
  'no-capacity': [
    'ResourcesUnavailableError',
    `${UNAVAILABLE} There are no longer any instances available with the requested specifications.`,
  ],
  infeasible: [
    'ResourcesUnavailableError',
    'Catalog does not contain any instances satisfying the request. No launchable resource found.',
  ],
  quota: ['ResourcesUnavailableError', `${UNAVAILABLE} Quota exceeded: limit exceeded for GPUS_ALL_REGIONS.`],
  credentials: ['InvalidCloudCredentials', 'The API key was rejected: 401 Unauthorized.'],
  'image-missing': ['ClusterSetUpError', 'ErrImagePull: manifest unknown: the tag does not exist.'],
  'image-pull-interrupted': ['ClusterSetUpError', 'ImagePullBackOff: unexpected EOF while pulling a layer.'],
  'disk-full': ['ClusterSetUpError', 'no space left on device'],
  'ssh-timeout': [
    'CommandError',
    'Command ssh failed with return code 255. Connection timed out during banner exchange.',
  ],
  'owner-mismatch': ['ClusterOwnerIdentityMismatchError', 'The cluster is owned by account other@example.com.'],
  stuck: ['RuntimeError', 'never raised'],
};

const WITHOUT_MACHINE = new Set<LaunchFailure>(['no-capacity', 'infeasible', 'quota', 'credentials', 'owner-mismatch']);

/** Whether this failure strikes before any machine exists. */
export const failsBeforeMachine = (reason: LaunchFailure): boolean => WITHOUT_MACHINE.has(reason);

export function launchError({ reason, text }: Failure): SkyError {
  const [className, standard] = FAILURES[reason];
  return new SkyError(className, text ?? standard);
}
