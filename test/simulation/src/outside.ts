import type { CommandOutcome, CommandRunner, HttpClient, HttpOutcome } from '@davit/ports';
import type { VirtualClock } from '@davit/ports';
import { type World, type WireReply } from '@davit/world';

/** Files that exist only in memory, for programs that are functions. */
export class MemoryFiles {
  private readonly contents = new Map<string, string>();
  private count = 0;

  write(name: string, content: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
    const path = `/memory/${name}-${++this.count}.yaml`;
    this.contents.set(path, content);
    return Promise.resolve({
      path,
      remove: () => {
        this.contents.delete(path);
        return Promise.resolve();
      },
    });
  }
  read(path: string): Promise<string | undefined> {
    return Promise.resolve(this.contents.get(path));
  }
}

/** The `sky` program as a function of the simulated outside, with the deadline that a process would have. */
export function skyCommands(world: World, clock: VirtualClock, files: MemoryFiles): CommandRunner {
  return {
    run: async ({ args, env, timeoutMs }) => {
      const ran = world
        .runSky({ argv: args, env, readFile: (path) => files.read(path) })
        .then((outcome): CommandOutcome =>
          outcome.kind === 'exited'
            ? { kind: 'exited', exitCode: outcome.exitCode, stdout: outcome.stdout, stderr: outcome.stderr }
            : { kind: 'killed', signal: 'SIGKILL', stdout: '', stderr: '' },
        );
      return within(clock, timeoutMs, ran, () => ({ kind: 'timed-out', stdout: '', stderr: '' }));
    },
  };
}

/** HTTP to the simulated outside: providers by their names, model servers by their addresses. */
export function worldHttp(world: World, clock: VirtualClock): HttpClient {
  return {
    request: async ({ method, url, headers = {}, body = '', timeoutMs, onBytes }) => {
      const answered = world
        .handleHttp({ method, url, headers, body })
        .then(outcomeOf)
        .then((outcome) => {
          if (!onBytes || outcome.kind === 'failure') return outcome;
          onBytes(Buffer.from(outcome.body));
          return { ...outcome, body: '' };
        });
      const detail = `no answer in ${timeoutMs} ms`;
      return within(clock, timeoutMs, answered, () => ({ kind: 'failure', reason: 'timeout', detail }));
    },
  };
}

/** What comes first: the answer, or the end of the time for it. A deadline that was met is an instant nobody has to visit. */
function within<Outcome>(
  clock: VirtualClock,
  timeoutMs: number,
  answered: Promise<Outcome>,
  late: () => Outcome,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(timeoutMs, () => resolve(late()));
    void answered.then(resolve, reject).finally(cancel);
  });
}

async function outcomeOf(reply: WireReply): Promise<HttpOutcome> {
  switch (reply.kind) {
    case 'response': {
      const { status, headers } = reply;
      return {
        kind: 'response',
        status,
        headers,
        body: typeof reply.body === 'string' ? reply.body : await joined(reply.body),
      };
    }
    case 'refused':
      return { kind: 'failure', reason: 'refused', detail: 'connection refused' };
    case 'reset':
      return { kind: 'failure', reason: 'reset', detail: 'connection reset' };
    case 'hang':
      return new Promise(() => undefined);
  }
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
