import { type ParamsOf, type RecordedEvent, type RevisionView, operations, stream } from '@davit/contracts';
import type { DeploymentState } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { found } from './existing.js';
import type { Listing } from './listing.js';

/** What a deployment was made of, from its first declaration on. */
@Controller()
export class RevisionsController {
  @Serves(operations.listRevisions)
  async revisions(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name }: ParamsOf<typeof operations.listRevisions>,
  ): Promise<Listing<RevisionView>> {
    const { position, items } = await revisionsOf(asking, `${tenant}/${name}`);
    return { position, items, next: null };
  }

  @Serves(operations.getRevision)
  async revision(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name, revision }: ParamsOf<typeof operations.getRevision>,
  ): Promise<RevisionView> {
    const key = `${tenant}/${name}`;
    const { items } = await revisionsOf(asking, key);
    const one = items.find((row) => row.revision === Number(revision));
    return found(one, 'revision', `${key} ${revision}`);
  }
}

async function revisionsOf(
  asking: Asking,
  key: string,
): Promise<{ readonly position: number; readonly items: readonly RevisionView[] }> {
  const { model, log, position } = await asking.view();
  const { document } = found(await model.get<DeploymentState>('deployment', key), 'deployment', key);
  const events = await log.readStream(stream.deployment(key));
  return { position, items: rowsOf(events.filter(isDeclaration), document) };
}

type Declaration = Extract<RecordedEvent, { type: 'davit.deployment.declared' }>;

const isDeclaration = (event: RecordedEvent): event is Declaration => event.type === 'davit.deployment.declared';

function rowsOf(declared: readonly Declaration[], { revision, activeRevision }: DeploymentState): RevisionView[] {
  const numbers = [...new Set(declared.map(({ data }) => data.revision))].toSorted((a, b) => a - b);
  return numbers.flatMap((number): RevisionView[] => {
    const of = declared.filter(({ data }) => data.revision === number);
    const last = of.at(-1);
    if (!last) return [];
    return [
      {
        revision: number,
        active: number === activeRevision,
        latest: number === revision,
        declarations: of.map(({ data, time, position, actor }) => ({
          generation: data.generation,
          at: time,
          position,
          actor: actor ?? null,
          intentId: data.intentId,
        })),
        templateDigest: last.data.templateDigest,
        spec: last.data.spec,
        position: last.position,
      },
    ];
  });
}
