import { stream } from '@davit/contracts';
import { type DeploymentState, evolveDeployment } from '@davit/domain';
import type { EventLog } from '@davit/event-log';

/** What the stream of one deployment came to. */
export interface DeploymentPast {
  readonly state: DeploymentState | undefined;
  /** 0 for a deployment that never was. */
  readonly version: number;
  readonly position: number | undefined;
}

const NOTHING: DeploymentPast = { state: undefined, version: 0, position: undefined };

/** Folds deployments from their own streams. While one is asked for again and again, only what is new is read. */
export class DeploymentPasts {
  private readonly known = new Map<string, DeploymentPast>();

  constructor(private readonly log: EventLog) {}

  async read(key: string): Promise<DeploymentPast> {
    const known = this.known.get(key) ?? NOTHING;
    const later = await this.log.readStream(stream.deployment(key), known.version);
    const last = later.at(-1);
    if (!last) return known;
    const past = {
      state: later.reduce(evolveDeployment, known.state),
      version: last.version,
      position: last.position,
    };
    this.known.set(key, past);
    return past;
  }

  forget(key: string): void {
    this.known.delete(key);
  }
}
