/** One message of a stream of server-sent events. Comments are told too: they show that the other side is there. */
export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
  readonly comment: string | null;
}

/**
 * Reads server-sent events from pieces of text as they arrive; what is not whole yet stays until the rest comes.
 * Written for `fetch`, since an `EventSource` sends no header. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class FrameReader {
  private rest = '';

  read(piece: string): Frame[] {
    const blocks = (this.rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.map(frameOf).filter((frame) => frame !== null);
  }
}

function frameOf(block: string): Frame | null {
  let id: string | null = null;
  let event = 'message';
  let comment: string | null = null;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon === 0) comment = line.slice(1).trim();
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 && comment === null ? null : { id, event, data: data.join('\n'), comment };
}
