import {
  type NewEvent,
  type ReportedTarget,
  type TrafficAnswer,
  type TrafficReportRequest,
  stream,
} from '@davit/contracts';
import { type ReplicaState, TRAFFIC_FRESH_MS, hasFailures } from '@davit/domain';
import type { EventLog, StreamWrite } from '@davit/event-log';
import { type Clock, type Logger, isoTime } from '@davit/ports';
import type { ReadModel } from '@davit/projection';
import { type Failures, joined } from './failures.js';
import type { TargetIndex } from './target-index.js';

export type DeskParts = {
  readonly log: Pick<EventLog, 'append'>;
  readonly model: Pick<ReadModel, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly targets: TargetIndex;
  /** Between two facts of one replica and one gateway. */
  readonly everyMs: number;
};

type Target = TrafficReportRequest['targets'][number];
/** One replica and one gateway. */
type Pair = { readonly replica: string; readonly reporter: string };
type Reported = { readonly pair: Pair; readonly failures: Failures };

const SERVICE = 'runtime-prober';
const keyOf = ({ replica, reporter }: Pair): string => `${replica} ${reporter}`;

/**
 * Takes what gateways report and writes, of requests that failed, at most one fact for each replica and gateway in a while; what
 * comes in between is added up. The fact goes through the log, so whichever instance watches the replica acts on it. Sums that
 * wait are lost with the instance: the gateway's next report brings new ones.
 */
export class TrafficDesk {
  private readonly waiting = new Map<string, Reported>();
  private readonly writtenMs = new Map<string, number>();

  constructor(private readonly parts: DeskParts) {}

  /** Faults of the log pass through: the report is to be sent again. */
  async take({ reporter, window, targets }: TrafficReportRequest): Promise<TrafficAnswer> {
    const nowMs = this.parts.clock.nowMs();
    const [fromMs, toMs] = [Date.parse(window.from), Date.parse(window.to)];
    const isStale = nowMs - toMs >= TRAFFIC_FRESH_MS;
    const due = new Map<string, Reported>();
    const answers: ReportedTarget[] = [];
    for (const target of targets) {
      const replicas = this.replicasOf(target);
      if (replicas.length === 0) answers.push(unknown(target));
      for (const replica of replicas) {
        const pair = { replica, reporter };
        const told = { replica, url: target.url ?? null };
        if (!hasFailures(target)) answers.push({ ...told, outcome: 'quiet', detail: 'nothing failed' });
        else if (isStale) answers.push({ ...told, outcome: 'stale', detail: `the window ended at ${window.to}` });
        else {
          const { requests, refused, timeouts, status5xx } = target;
          const failures = { requests, refused, timeouts, status5xx, fromMs, toMs };
          const key = keyOf(pair);
          const isDue = due.has(key) || (await this.claim(pair, nowMs));
          if (isDue)
            due.set(key, { pair, failures: joined((due.get(key) ?? this.waiting.get(key))?.failures, failures) });
          else this.wait(pair, failures, nowMs);
          const detail = isDue ? 'it is probed at once' : `it is told within ${this.parts.everyMs / 1_000} s`;
          answers.push({ ...told, outcome: isDue ? 'recorded' : 'joined', detail });
        }
      }
    }
    this.sweep(nowMs);
    await this.write([...due.values()], nowMs);
    return { targets: answers };
  }

  private replicasOf({ url, replica }: Target): readonly string[] {
    const { targets } = this.parts;
    if (replica !== undefined) return targets.has(replica) ? [replica] : [];
    return url === undefined ? [] : targets.at(url);
  }

  /** Whether a fact is due; if so it is the caller's to write. What other instances wrote counts like one's own. */
  private async claim(pair: Pair, nowMs: number): Promise<boolean> {
    const { model, everyMs } = this.parts;
    const key = keyOf(pair);
    const isRecent = (ms: number | undefined): boolean => ms !== undefined && nowMs - ms < everyMs;
    if (isRecent(this.writtenMs.get(key))) return false;
    const replica = (await model.get<ReplicaState>('replica', pair.replica))?.document;
    const last = replica?.traffic?.find(({ reporter }) => reporter === pair.reporter)?.at;
    if (isRecent(this.writtenMs.get(key)) || isRecent(last === undefined ? undefined : Date.parse(last))) return false;
    this.writtenMs.set(key, nowMs);
    return true;
  }

  private wait(pair: Pair, failures: Failures, nowMs: number): void {
    const key = keyOf(pair);
    const present = this.waiting.get(key);
    this.waiting.set(key, { pair, failures: joined(present?.failures, failures) });
    if (present) return;
    const dueMs = (this.writtenMs.get(key) ?? nowMs) + this.parts.everyMs;
    this.parts.clock.schedule(Math.max(0, dueMs - nowMs), () => void this.flush(key));
  }

  private async flush(key: string): Promise<void> {
    const entry = this.waiting.get(key);
    if (!entry) return;
    await this.write([entry], this.parts.clock.nowMs()).catch((error: unknown) => {
      this.waiting.delete(key);
      this.parts.logger.warn({ err: error, ...entry.pair }, 'what a gateway reported could not be written');
    });
  }

  /** One append for each tenant, whole or not at all. */
  private async write(entries: readonly Reported[], nowMs: number): Promise<void> {
    const byTenant = new Map<string, Reported[]>();
    for (const entry of entries) {
      const tenant = entry.pair.replica.slice(0, entry.pair.replica.indexOf('/'));
      byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), entry]);
    }
    for (const [tenant, own] of byTenant) {
      const [first, ...rest] = own.map(({ pair, failures }) => writeOf(pair, failures));
      const keys = own.map(({ pair }) => keyOf(pair));
      try {
        if (first) await this.parts.log.append([first, ...rest], { tenant, service: SERVICE });
      } catch (error) {
        for (const key of keys) this.writtenMs.delete(key);
        throw error;
      }
      for (const key of keys) {
        this.waiting.delete(key);
        this.writtenMs.set(key, nowMs);
      }
    }
  }

  private sweep(nowMs: number): void {
    for (const [key, ms] of this.writtenMs) if (nowMs - ms >= this.parts.everyMs) this.writtenMs.delete(key);
  }
}

function writeOf({ replica, reporter }: Pair, { fromMs, toMs, ...counts }: Failures): StreamWrite {
  const window = { from: isoTime(fromMs), to: isoTime(toMs) };
  const event: NewEvent = {
    type: 'davit.runtime.traffic-failed',
    data: { replicaId: replica, reporter, window, ...counts },
  };
  return { stream: stream.runtime(replica), expectedVersion: 'any', events: [event] };
}

const unknown = ({ url, replica }: Target): ReportedTarget => ({
  replica: replica ?? null,
  url: url ?? null,
  outcome: 'unknown',
  detail:
    url === undefined
      ? 'no replica of this name is watched: it is gone, or was never launched'
      : 'no replica that is watched has this address; it may be gone, or not be up yet',
});
