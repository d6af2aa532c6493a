import type { Piece } from './piece.js';
import type { Samples } from './samples.js';
import type { Series } from './series.js';

/** What was read of a line that is a sample; used again and again. */
export class SampleLine {
  /** The fingerprint of the series. */
  low = 0;
  high = 0;
  isWanted = false;
  value = 0;
  timestamp: number | null = null;
  /** Undefined where nobody wants it, and where it is not remembered. */
  series: Series | undefined = undefined;
  /** Where the head begins that is not remembered, and the place after it. */
  from = 0;
  to = 0;

  /** @param piece in which it was read */
  addTo(samples: Samples, piece: Piece): void {
    const { series, value, timestamp } = this;
    if (series) samples.add(series, value, timestamp);
    else samples.addText(piece, this.from, this.to + 1, value, timestamp);
  }
}
