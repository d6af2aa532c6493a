import type { Observation, ObserveHints } from '@davit/provider-kit';
import { type EndpointRow, type Policy, POLICY_FIELDS } from './api/endpoints.js';
import type { GroupRow } from './api/workergroups.js';
import type { Expectation } from './expectation.js';
import { parseHandle } from './handle.js';
import { policyOf, serverlessOf } from './policy.js';
import { searchDigest } from './record/workergroup.js';

interface Change {
  readonly field: string;
  readonly was: string;
  readonly is: string;
}

/**
 * Settings that are others than were asked for: template, search, state, or a field of the policy. Undefined when none is.
 * A field that the service does not show says nothing.
 */
export function changedIn(
  endpoint: EndpointRow,
  group: GroupRow,
  hints: Pick<ObserveHints, 'subject' | 'handle'>,
  expectation: Expectation | undefined,
): Observation['changed'] {
  const changes = [
    ...templateChange(group, hints, expectation),
    ...searchChange(group, hints),
    ...stateChange(endpoint),
    ...policyChanges(endpoint, hints, expectation),
  ];
  if (changes.length === 0) return undefined;
  const told = (of: 'was' | 'is'): string => changes.map((change) => `${change.field} ${change[of]}`).join(', ');
  return { was: told('was'), is: told('is') };
}

function templateChange(
  { template_hash: stored }: GroupRow,
  { subject, handle }: Pick<ObserveHints, 'subject' | 'handle'>,
  expectation: Expectation | undefined,
): Change[] {
  const named = serverlessOf(subject.deployment)?.templateHash ?? parseHandle(handle)?.templateHash;
  const allowed = [...(named ? [named] : []), ...(expectation?.templateHashes ?? [])];
  if (!stored || allowed.length === 0 || allowed.includes(stored)) return [];
  return [{ field: 'template', was: allowed.join(' or '), is: stored }];
}

function searchChange({ search_query }: GroupRow, { handle }: Pick<ObserveHints, 'handle'>): Change[] {
  const was = parseHandle(handle)?.searchDigest;
  const is = searchDigest(search_query);
  return !was || !search_query || was === is ? [] : [{ field: 'search', was: `digest ${was}`, is: `digest ${is}` }];
}

/** A stopped endpoint is a phase of its own. */
function stateChange({ endpoint_state }: EndpointRow): Change[] {
  const is = endpoint_state?.toLowerCase();
  return is === undefined || is === 'active' || is === 'stopped' ? [] : [{ field: 'state', was: 'active', is }];
}

function policyChanges(
  endpoint: EndpointRow,
  { subject }: Pick<ObserveHints, 'subject'>,
  expectation: Expectation | undefined,
): Change[] {
  const compute = serverlessOf(subject.deployment);
  if (!compute || expectation?.anyPolicy === true) return [];
  const [nearest = []] = [{ ...policyOf(compute), ...expectation?.policy }, ...(expectation?.policies ?? [])]
    .map((wanted) => changesFrom(wanted, endpoint))
    .toSorted((a, b) => a.length - b.length);
  return nearest;
}

const changesFrom = (wanted: Policy, endpoint: EndpointRow): Change[] =>
  POLICY_FIELDS.flatMap((field) => {
    const is = endpoint[field];
    if (is === null || is === undefined || is === wanted[field]) return [];
    return [{ field, was: String(wanted[field]), is: String(is) }];
  });
