import { text, type WireResponse } from '../../http/wire.js';
import { type FaultSet } from '../faults.js';

const HUGE_BYTES = 22 * 1024 * 1024;
const PIECE = 'a'.repeat(64 * 1024);

/** A scrape, damaged as the faults ask; `prefix` begins the names of the kind's families. */
export function metricsReply(faults: FaultSet, whole: string, contentType: string, prefix: string): WireResponse {
  const body = faults.has('metrics-cut') ? cutMidLine(whole) : whole;
  const huge = faults.get('metrics-huge');
  const reply = text(200, body, contentType);
  return huge ? { ...reply, body: withHugeLabel(huge.bytes ?? HUGE_BYTES, prefix, body) } : reply;
}

/** Ends in the middle of a line that holds a sample. */
function cutMidLine(whole: string): string {
  let start = whole.indexOf('\n', Math.floor(whole.length * 0.6)) + 1;
  while (whole.charAt(start) === '#') start = whole.indexOf('\n', start) + 1;
  if (start === 0 || start >= whole.length) start = 0;
  const end = whole.indexOf('\n', start);
  return whole.slice(0, start + Math.ceil(((end === -1 ? whole.length : end) - start) / 2));
}

/** One setting of the cache holds a list without end, as vllm-project/vllm#44691 had it. */
async function* withHugeLabel(bytes: number, prefix: string, body: string): AsyncGenerator<string> {
  yield `${prefix}cache_config_info{engine="0",x="`;
  for (let left = bytes; left > 0; left -= PIECE.length) {
    yield PIECE.slice(0, left);
    // Lets whoever reads go away in between.
    await Promise.resolve();
  }
  yield `"} 1.0\n${body}`;
}
