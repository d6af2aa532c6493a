import { type RecordedEvent, stream } from '@davit/contracts';
import { type Accepted, type DeploymentState, evolveDeployment } from '@davit/domain';

/**
 * The deployment as it would be once this is applied: the fold that every service has, over the events that applying would write.
 * So what is forgotten and what is kept by a new declaration is the same in a plan and afterwards.
 */
export function applied(
  before: DeploymentState | undefined,
  { events }: Accepted,
  { key, nowMs }: { readonly key: string; readonly nowMs: number },
): DeploymentState | undefined {
  return events.reduce((state, { type, data }, index) => {
    const version = (state?.version ?? 0) + 1;
    // An envelope as the log would make it; only what the fold reads is of any weight.
    const event = {
      ...{ specversion: '1.0', id: '', source: '/davit/spec-api', dataschema: '', subject: key, position: index + 1 },
      ...{ type, data, version, stream: stream.deployment(key), tenant: key.split('/')[0] ?? '' },
      time: new Date(nowMs).toISOString(),
    } as RecordedEvent;
    return evolveDeployment(state, event);
  }, before);
}
