import type { ServerFacts } from '@davit/domain';
import type { Engine, EnginePath } from '../engines/engine.js';
import { printable } from './findings.js';
import { jsonOf } from './json.js';
import { type ProbeTarget, ask } from './target.js';
import type { HttpClient } from '@davit/ports';

const VERSION_LENGTH = 100;

type Question = { readonly http: HttpClient; readonly target: ProbeTarget; readonly timeoutMs: number };

/** What the server says of itself elsewhere; nothing where it does not, which says nothing against it. */
export async function askAbout({ about }: Engine, question: Question): Promise<ServerFacts> {
  if (!about) return {};
  const { engineVersion, contextLength } = about.read(await jsonAt(about, question));
  return {
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(engineVersion === undefined ? {} : { engineVersion: printable(engineVersion, VERSION_LENGTH) }),
  };
}

/** Whether it sleeps; undefined where it does not say. */
export const askSleep = async ({ sleep }: Engine, question: Question): Promise<boolean | undefined> =>
  sleep ? sleep.isAsleep(await jsonAt(sleep, question)) : undefined;

async function jsonAt({ path, needsKey }: EnginePath, { http, target, timeoutMs }: Question): Promise<unknown> {
  const answer = await ask(http, target, { method: 'GET', path, needsKey, timeoutMs });
  return answer.kind === 'response' && answer.status === 200 ? jsonOf(answer.body) : undefined;
}
