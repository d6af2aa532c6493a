import { seeded } from '../clock.js';
import { wholeBody, type WireReply } from '../http/wire.js';
import { ManualClock } from '../manual-clock.js';
import { MODEL_SERVER_DEFAULTS, type ModelServerConfig } from './config.js';
import { type ModelFault } from './faults.js';
import { type KeyShown } from './keys.js';
import { PROFILE_VERSIONS, type Profile } from './profiles.js';
import { ModelServer } from './server.js';
import { NO_TRAFFIC, type Traffic } from './traffic.js';

export const CHAT = { model: 'm', messages: [{ role: 'user', content: 'one two three' }] };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One model server on a clock that tests move, with room for two requests. */
export class TestServer {
  readonly clock = new ManualClock();
  readonly keysShown: KeyShown[] = [];
  exits = 0;
  private readonly server: ModelServer;

  constructor(config: Partial<ModelServerConfig> = {}) {
    const whole = {
      ...MODEL_SERVER_DEFAULTS,
      ...{ servedModelNames: ['m'], root: 'org/m', apiKey: null, loadMs: 0, maxRunning: 2 },
      ...config,
    };
    this.server = new ModelServer(whole, this.clock, seeded(1), {
      exited: () => (this.exits += 1),
      keyShown: (shown) => this.keysShown.push(shown),
    });
  }

  /** A server of one kind in its usual version. */
  static of(profile: Profile, config: Partial<ModelServerConfig> = {}): TestServer {
    return new TestServer({ profile, version: PROFILE_VERSIONS[profile], ...config });
  }

  setFaults(...faults: readonly ModelFault[]): void {
    this.server.setFaults(faults);
  }

  believe(traffic: Partial<Traffic>): void {
    this.server.believe({ ...NO_TRAFFIC, ...traffic });
  }

  send(method: string, path: string, body: unknown = '', headers = {}, signal?: AbortSignal): Promise<WireReply> {
    const url = new URL(path, 'http://m');
    return this.server.handle({ method, url, headers, body: JSON.stringify(body), signal });
  }

  /** The whole answer, with the clock moved by up to `withinMs` as it takes; silence is an error. */
  async ask(method: string, path: string, body: unknown = '', headers = {}, withinMs = 1_000): Promise<Answer> {
    let answer: Answer | undefined;
    void this.send(method, path, body, headers).then(async (reply) => {
      if (reply.kind !== 'response') throw new Error(reply.kind);
      answer = { status: reply.status, headers: reply.headers, body: await wholeBody(reply.body) };
    });
    await this.clock.advance(0);
    for (let passedMs = 0; !answer && passedMs < withinMs; passedMs += 100) await this.clock.advance(100);
    if (!answer) throw new Error(`no answer to ${method} ${path} within ${withinMs} ms`);
    return answer;
  }

  /** As `ask`, without headers. */
  async answer(
    method: string,
    path: string,
    body: unknown = '',
    headers = {},
  ): Promise<{ readonly status: number; readonly body: string }> {
    const answer = await this.ask(method, path, body, headers);
    return { status: answer.status, body: answer.body };
  }

  /** Whether a request is still without answer after this long. */
  async isSilent(method: string, path: string, body: unknown, ms: number): Promise<boolean> {
    let answered = false;
    void this.send(method, path, body).then((reply) => (answered = reply.kind !== 'hang'));
    await this.clock.advance(ms);
    return !answered;
  }

  /** Values by name and labels. */
  async metrics(): Promise<Map<string, number>> {
    return new Map(samplesOf((await this.ask('GET', '/metrics')).body));
  }
}

/** The samples of an exposition, in order. */
export const samplesOf = (body: string): (readonly [series: string, value: number])[] =>
  body
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]);
