import { counted } from '@davit/contracts';
import type { DeploymentState, Refused } from '@davit/domain';
import { badRequest } from '../operations/bad-request.js';
import type { Decide } from './deployment-intents.js';
import type { Intent } from './intent.js';

/**
 * What must hold of a deployment for an intent to be carried out: that nobody ordered anything of it after the position that it was
 * read at, that it is there, or that it is not.
 */
export type Precondition = number | 'exists' | 'absent';

/** Those of its body and those of its headers. */
export const preconditionsOf = ({ facts: { ifMatch }, origin }: Intent): readonly Precondition[] => [
  ...(ifMatch === undefined ? [] : [ifMatch === 0 ? ('absent' as const) : ifMatch]),
  ...(origin.preconditions ?? []),
];

/** Decides only where the preconditions hold, on the very state that the decision rests on. */
export const provided =
  (preconditions: readonly Precondition[], key: string, decide: Decide): Decide =>
  (state, intentId) =>
    preconditions.map((one) => objection(one, key, state)).find((one) => one !== undefined) ?? decide(state, intentId);

function objection(precondition: Precondition, key: string, state: DeploymentState | undefined): Refused | undefined {
  const present = state?.status === 'deleted' ? undefined : state;
  if (precondition === 'absent') {
    return (
      present && failed(present, 'is there already, and was to be new', 'Choose another name, or change what is there.')
    );
  }
  if (!present) {
    return { outcome: 'refused', code: 'precondition-failed', detail: `${key} is not there any more`, remedy: AGAIN };
  }
  if (precondition === 'exists' || present.orderPosition <= precondition) return undefined;
  return failed(present, `was changed after position ${precondition}, at which it was read`, AGAIN);
}

const AGAIN = 'Read the deployment again, and decide on what it is now.';

function failed(state: DeploymentState, what: string, remedy: string): Refused {
  const { key, status, generation, revision, orderPosition, spec } = state;
  const now = `${status}, generation ${generation}, revision ${revision}, ${counted(spec.spec.scaling.replicas, 'replica')}`;
  const detail = `${key} ${what}: it is ${now}, as ordered at position ${orderPosition}`;
  return { outcome: 'refused', code: 'precondition-failed', detail, remedy };
}

/** The position that an entity tag of this service begins with. */
const TAG = /^"(\d{1,15})(?:-[\w-]{1,64})?"$/;

/**
 * Preconditions of HTTP (RFC 9110, section 13.1), with the entity tags that reads of this service give.
 * @throws ProblemError 400 for a header that says nothing of the kind
 */
export function headerPreconditions(headers: Readonly<Record<string, string | undefined>>): readonly Precondition[] {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  return [
    ...(match === undefined ? [] : [matching(match)]),
    ...(noneMatch === undefined ? [] : [notMatching(noneMatch)]),
  ];
}

function matching(header: string): Precondition {
  if (header.trim() === '*') return 'exists';
  const tags = header.split(',').map((tag) => TAG.exec(tag.trim())?.[1]);
  if (tags.some((tag) => tag === undefined)) {
    throw unreadable('If-Match', header, 'Send the ETag of a read, a position in quotes like "1042", or *.');
  }
  return Math.max(...tags.map(Number));
}

function notMatching(header: string): Precondition {
  if (header.trim() === '*') return 'absent';
  throw unreadable('If-None-Match', header, 'With an intent only * says something: it must not be there yet.');
}

const unreadable = (name: string, value: string, remedy: string) =>
  badRequest([{ path: name, message: `${JSON.stringify(value.slice(0, 80))} cannot be used here`, remedy }]);
