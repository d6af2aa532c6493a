import { type BodyOf, type ReplayView, operations } from '@davit/contracts';
import { type ServicePorts, tokens } from '@davit/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { FewAtOnce } from '../asking/few-at-once.js';
import { endsOf } from '../asking/spans.js';
import { ReadBody } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { mustExist } from '../queries/existing.js';
import { replaySpan } from './replay.js';

/** What would have been decided under another policy. */
@Controller()
export class ReplayController {
  private readonly few = new FewAtOnce('replays');

  constructor(@Inject(tokens.SERVICE_PORTS) private readonly ports: Pick<ServicePorts, 'evidence'>) {}

  /** Nothing is written, and no provider is asked anything. */
  @Serves(operations.replay)
  async replay(@Asked() asking: Asking, @ReadBody() asked: BodyOf<typeof operations.replay>): Promise<ReplayView> {
    const { from = '0', to, deployment = null, policy } = asked;
    return this.few.run(async () => {
      const ends = await endsOf(asking, { from, to }, '');
      if (deployment !== null) await mustExist(ends.to, deployment, 'deployment');
      return replaySpan(ends.from, ends.to, this.ports.evidence, { policy, deployment });
    });
  }
}
