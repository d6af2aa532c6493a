import type { RecordedEvent } from '@davit/contracts';
import { parseReplicaId } from '../identity.js';
import { offerRefOf } from '../lifecycle/evolve-offer.js';
import { heldOn } from '../lifecycle/meter.js';
import type { DeploymentState } from '../lifecycle/state.js';
import { offerKeysOf } from '../placement/ask.js';
import type { Ranking } from '../placement/ranking.js';
import type { Moment, ReadyMs } from './free-slot.js';
import { type RealDecision, decidedAtMs, realOutcome } from './in-step.js';
import { Past } from './past.js';
import { questionInStep, questionOfItsOwn } from './questions.js';
import { type Replayed, type ReplayedSlot, outcomeOf } from './result.js';
import { type ReplayOptions, Scenes } from './scenes.js';
import { Signals } from './signals.js';
import { ReplaySlot } from './slot.js';

/** So many positions after the one it states, a decision may rest on documents that were read later. */
const READ_AFTER = 100;

/**
 * Replays a recorded log against another specification or policy, event by event. Replicas that decide as the real ones did
 * live the lives of these; from its first other decision on, a replica goes its own way, by what was recorded of signals,
 * prices and refusals. It steps when something recorded changes, or a signal runs out, and never looks ahead.
 */
export class Replay {
  private readonly past: Past;
  private readonly signals = new Signals();
  private readonly slots = new Map<number, ReplaySlot>();
  private readonly notWanted = new Set<string>();
  private readonly scenes: Scenes;
  private position = 0;
  private begun = false;
  private timerMs: number | null = null;
  private compared = 0;
  private differences = 0;
  private events = 0;

  constructor(private readonly options: ReplayOptions) {
    this.past = new Past(options.against);
    this.scenes = new Scenes(options, this.past, this.signals, this.slots);
  }

  /** What was before the part of the log that is read: it is known, and nothing is decided on it. */
  remember(event: RecordedEvent): void {
    this.past.see(event);
    this.signals.see(event);
    this.position = Math.max(this.position, event.position);
  }

  /** Events come in the order of the log. False once the window has ended. */
  see(event: RecordedEvent): boolean {
    const ms = Date.parse(event.time);
    const { fromMs, toMs } = this.options;
    if (ms > toMs) return false;
    // What was said at the very moment at which the window begins is known when it does.
    if (ms <= fromMs) {
      this.remember(event);
      return true;
    }
    this.passTime(ms);
    this.events += 1;
    if (event.type === 'davit.replica.placed' || event.type === 'davit.replica.deferred') this.compare(event);
    this.past.see(event);
    this.position = event.position;
    this.after(event, { ms, position: event.position });
    return true;
  }

  finish(): Replayed {
    const { fromMs, toMs } = this.options;
    this.passTime(toMs);
    const replicas = this.past.replicasAt(this.position);
    const ended = [...this.slots.values()]
      .toSorted((a, b) => a.ordinal - b.ordinal)
      .map((slot) => ({ slot, ...slot.finish(replicas, fromMs, toMs) }));
    const slots = ended.map(({ slot, machines, meters }): ReplayedSlot => ({
      ordinal: slot.ordinal,
      divergedAt: slot.divergedAt,
      decisions: slot.decisions,
      waits: slot.waits,
      falls: slot.falls,
      machines,
      cost: heldOn(meters, fromMs, toMs),
    }));
    const real = replicas.flatMap(({ meter }) => meter ?? []);
    return {
      slots,
      differences: this.differences,
      compared: this.compared,
      cost: heldOn(
        ended.flatMap(({ meters }) => meters),
        fromMs,
        toMs,
      ),
      realCost: this.options.against === null ? null : heldOn(real, fromMs, toMs),
      notWanted: [...this.notWanted].sort(),
      events: this.events,
    };
  }

  /** Everything that happens by itself up to a moment: the window begins, signals run out, objections end. */
  private passTime(ms: number): void {
    if (!this.begun) this.begin({ ms: this.options.fromMs, position: this.position });
    while (this.timerMs !== null && this.timerMs <= ms) {
      const now = { ms: this.timerMs, position: this.position };
      this.timerMs = null;
      this.step(now);
    }
  }

  private begin(now: Moment): void {
    const deployment = this.deployment();
    // What takes the place of a deployment begins with it.
    if (this.options.against !== null && deployment?.status !== 'active') return;
    this.begun = true;
    this.resize(deployment, now);
  }

  /** As many slots as are wanted; those that the real deployment has too begin in step with it. */
  private resize(deployment: DeploymentState | undefined, now: Moment): void {
    const real = deployment?.spec.spec.scaling.replicas ?? 0;
    const wanted = this.options.spec?.spec.scaling.replicas ?? real;
    const replicas = this.past.replicasAt(this.position);
    for (let ordinal = 0; ordinal < wanted; ordinal++) {
      const slot = this.slots.get(ordinal);
      const own = replicas.filter((replica) => replica.ordinal === ordinal);
      if (!slot) this.slots.set(ordinal, new ReplaySlot(ordinal, ordinal < real ? own : null));
      else if (ordinal >= real) slot.letGo(own, now, this.readyMs);
    }
    for (const [ordinal, slot] of this.slots) if (ordinal >= wanted) slot.end(now);
    this.step(now);
  }

  /** Holds a real decision against what would have been decided in its place. */
  private compare(event: RealDecision): void {
    const identity = parseReplicaId(event.data.replicaId);
    if (!identity || identity.deployment !== this.options.against || !this.begun) return;
    const slot = this.slots.get(identity.ordinal);
    if (!slot) this.notWanted.add(event.data.replicaId);
    if (!slot?.inStep) return;
    const real = realOutcome(event);
    const isChoice = event.type === 'davit.replica.deferred' || event.data.placement !== null;
    const ranking = isChoice ? this.inPlaceOf(event, identity.revision, real.offer) : undefined;
    if (!ranking) {
      slot.inStep.follow(event.data.replicaId);
      return;
    }
    const now = { ms: decidedAtMs(event), position: event.position };
    this.compared += 1;
    if (outcomeOf(ranking).offer === real.offer) slot.inStep.agree(ranking, now, real);
    else {
      this.differences += 1;
      slot.diverge(ranking, now, this.readyMs, real);
      this.scenes.note(ranking);
    }
  }

  /**
   * What would have been decided. Its writer had read up to a position when it began, and may have read some of what came
   * after it, too: where one of these moments leads to what was really decided, that is no difference.
   */
  private inPlaceOf(event: RealDecision, revision: number, offer: string | null): Ranking | undefined {
    const basis = event.basedonposition ?? event.position - 1;
    let first: Ranking | undefined;
    for (let position = basis; position < event.position && position <= basis + READ_AFTER; position++) {
      const replica = this.past.replicaAt(event.data.replicaId, position);
      const deployment = this.past.deploymentAt(position);
      const scene = deployment && this.scenes.at(deployment, revision, { ms: decidedAtMs(event), position });
      if (!replica || !deployment || !scene) continue;
      const ranking = this.scenes.rank(questionInStep(scene, replica, deployment));
      if (outcomeOf(ranking).offer === offer) return ranking;
      first ??= ranking;
    }
    return first;
  }

  private after(event: RecordedEvent, now: Moment): void {
    const said = this.signals.see(event) !== undefined;
    const refused = this.hearOfStart(event, now);
    const declared = event.stream === `deployment/${this.options.against ?? ''}` && this.hearOfWish(event, now);
    if (said || refused || declared) this.step(now);
  }

  /** True when what became of a real start refuses one of those that go their own way. */
  private hearOfStart(event: RecordedEvent, now: Moment): boolean {
    if (event.type === 'davit.replica.failed')
      for (const slot of this.slots.values()) if (slot.inStep?.isOwn(event.data.replicaId)) slot.inStep.fell(event);
    const offer = offerRefOf(event);
    const last = offer === undefined ? undefined : this.past.offerAt(offer, event.position)?.tries.at(-1);
    if (offer === undefined || last?.position !== event.position) return false;
    const heard = [...this.slots.values()].map((slot) => slot.free?.hear(offer, last, now) ?? false);
    return heard.includes(true);
  }

  /** What users want of the real deployment: true where it changes what is wanted here. */
  private hearOfWish(event: RecordedEvent, now: Moment): boolean {
    if (!this.begun) this.begin(now);
    else if (event.type === 'davit.deployment.declared') this.resize(this.deployment(), now);
    else if (event.type === 'davit.deployment.deletion-requested')
      for (const slot of this.slots.values()) slot.free?.end(now);
    return true;
  }

  /** Each replica of its own that waits looks again. Where one finds no place, those after it find none either. */
  private step(now: Moment): void {
    const deployment = this.deployment();
    if (!this.begun || deployment?.status === 'deleting' || deployment?.status === 'deleted') return;
    let blocked = false;
    for (const slot of [...this.slots.values()].toSorted((a, b) => a.ordinal - b.ordinal)) {
      const { free } = slot;
      if (!free?.isWaiting || free.isEnded || (blocked && free.hasAsked)) continue;
      const scene = this.scenes.at(deployment, deployment?.revision ?? 1, now);
      if (!scene) return;
      const ranking = this.scenes.rank(questionOfItsOwn(scene));
      free.decide(ranking, now, this.readyMs);
      this.scenes.note(ranking);
      if (ranking.chosen) continue;
      blocked = true;
      const expiry = this.signals.nextExpiry(offerKeysOf(scene.compute), now.ms);
      const ends = [ranking.changesAtMs, expiry].filter((at): at is number => at !== null && at > now.ms);
      this.timerMs = ends.length === 0 ? null : Math.min(...ends);
    }
  }

  private readonly readyMs = (offer: string): ReadyMs => this.scenes.readyMs(offer, this.position);

  private deployment(): DeploymentState | undefined {
    return this.past.deploymentAt(this.position);
  }
}
