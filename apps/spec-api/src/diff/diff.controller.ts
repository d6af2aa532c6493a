import { type DiffView, type QueryOf, operations } from '@davit/contracts';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { FewAtOnce } from '../asking/few-at-once.js';
import { endsOf } from '../asking/spans.js';
import { ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { mustExist } from '../queries/existing.js';
import { diffOf } from './diff.js';

/** What changed between two moments. */
@Controller()
export class DiffController {
  private readonly few = new FewAtOnce('comparisons');

  @Serves(operations.getDiff)
  async diff(@Asked() asking: Asking, @ReadQuery() query: QueryOf<typeof operations.getDiff>): Promise<DiffView> {
    return this.few.run(async () => {
      const { from, to } = await endsOf(asking, query, '?');
      if (query.deployment !== undefined) await mustExist(to, query.deployment, '?deployment');
      return diffOf(from, to, query);
    });
  }
}
