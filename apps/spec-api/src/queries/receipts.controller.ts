import { type ParamsOf, type RecordedEvent, type RolloutReceipt, operations, stream } from '@davit/contracts';
import { type ReceiptEvidence, type RolloutState, receiptFiles, receiptOf } from '@davit/domain';
import { type ServicePorts, tokens } from '@davit/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking, View } from '../asking/asking.js';
import { ReadParams } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { found } from './existing.js';

/** What a rollout did, with all that it rests on, as files that can be checked without us. */
@Controller()
export class ReceiptsController {
  constructor(@Inject(tokens.SERVICE_PORTS) private readonly ports: Pick<ServicePorts, 'evidence'>) {}

  @Serves(operations.getReceipt)
  async receipt(
    @Asked() asking: Asking,
    @ReadParams() { tenant, rollout }: ParamsOf<typeof operations.getReceipt>,
  ): Promise<RolloutReceipt> {
    const id = `${tenant}/${rollout}`;
    const { model, log } = await asking.view();
    const { document } = found(await model.get<RolloutState>('rollout', id), 'rollout', id);
    const events = await eventsOf(log, document);
    const evidence = await this.evidenceOf(events);
    return { rollout: id, files: receiptFiles({ events, evidence }) ?? {} };
  }

  /** What is cited and not there is named by the receipt as missing. */
  private async evidenceOf(events: readonly RecordedEvent[]): Promise<readonly ReceiptEvidence[]> {
    const found: ReceiptEvidence[] = [];
    for (const { digest } of receiptOf({ events, evidence: [] })?.evidence ?? []) {
      const kept = await this.ports.evidence.get(digest);
      // The store pairs each kind with its value, which TypeScript does not carry through the general type.
      if (kept) found.push(kept as ReceiptEvidence);
    }
    return found;
  }
}

/** Its own, and what operators said of it, in the order of the log. */
async function eventsOf(log: View['log'], { id, deployment }: RolloutState): Promise<readonly RecordedEvent[]> {
  const own = await log.readStream(stream.rollout(id));
  const said = await log.readStream(stream.deployment(deployment));
  const words = said.filter((event) => isWordOn(event, id));
  return [...own, ...words].toSorted((a, b) => a.position - b.position);
}

function isWordOn(event: RecordedEvent, rolloutId: string): boolean {
  switch (event.type) {
    case 'davit.deployment.rollout-approved':
    case 'davit.deployment.rollout-rejected':
    case 'davit.deployment.rollout-aborted':
      return event.data.rolloutId === rolloutId;
    default:
      return false;
  }
}
