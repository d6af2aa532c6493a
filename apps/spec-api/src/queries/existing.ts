import { stream } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import type { ReadModel } from '@davit/projection';
import { ProblemError } from '@davit/service-kit';

export interface Sources {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly model: Pick<ReadModel, 'get'>;
}

/**
 * A question about a deployment that never was is a mistake, and no empty answer. One that was declared a moment ago is there,
 * however far behind the projection is.
 * @param path the field that names it
 * @throws ProblemError 404
 */
export async function mustExist({ log, model }: Sources, key: string, path: string): Promise<void> {
  if (await model.get('deployment', key)) return;
  if ((await log.readStream(stream.deployment(key), 0, { limit: 1 })).length > 0) return;
  const remedy = 'Write NAME or TENANT/NAME of one that `davit get deployments --all` shows.';
  throw notFound(`there is no deployment ${JSON.stringify(key)}`, remedy, path);
}

/** Where the names are shown of what can be asked for by name. */
const SHOWN_BY = {
  deployment: '`davit get deployments --all` shows',
  replica: '`davit get replicas --all` shows',
  route: '`davit get routes` shows',
  rollout: '`davit rollouts --all` shows',
  orphan: '`davit orphans --all` shows',
  alarm: '`davit alarms` or, of those that are cleared, `davit events --category fleet` shows',
  budget: '`davit budget get` shows, or the tenant of a deployment',
  intent: '`davit events --category intent` shows',
  resource: '`davit get replicas --all --wide` or `davit orphans --all` shows',
  revision: '`davit explain deployment NAME` tells of',
  key: '`davit keys list` shows',
  webhook: '`GET /v1/webhooks?all=true` shows',
} as const;

/** @throws ProblemError 404 that names what was asked for, and where its right name is to be found */
export function found<Thing>(thing: Thing | undefined, kind: keyof typeof SHOWN_BY, key: string): Thing {
  if (thing !== undefined) return thing;
  const message = `there is no ${kind} ${JSON.stringify(key.slice(0, 120))}`;
  throw notFound(message, `Write one that ${SHOWN_BY[kind]}.`);
}

/** @param message begins with a small letter */
export const notFound = (message: string, remedy: string, path = ''): ProblemError => {
  const detail = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  return new ProblemError(404, 'not-found', 'Not found', detail, [{ path, message, remedy }]);
};
