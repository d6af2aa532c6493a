import { describe, expect, it } from '@jest/globals';
import { readAckSubject } from './delivered.js';

describe('the acknowledgement subject', () => {
  const facts = { stream: 'INTENTS', consumer: 'c', deliveries: 2, streamSequence: 7, storedAtMs: 1_767_225_600_123 };

  it('tells stream, consumer, deliveries, sequence and time', () => {
    expect(readAckSubject('$JS.ACK.INTENTS.c.2.7.9.1767225600123456789.0')).toEqual(facts);
  });

  it('is read the same with domain and account in front', () => {
    expect(readAckSubject('$JS.ACK.hub.ACC.INTENTS.c.2.7.9.1767225600123456789.0.x')).toEqual(facts);
    expect(readAckSubject('$JS.ACK._.ACC.INTENTS.c.2.7.9.1767225600123456789.0')).toEqual(facts);
  });

  it.each(['', '_INBOX.x', '$JS.ACK.INTENTS.c'])('is refused when it is %p', (subject) => {
    expect(() => readAckSubject(subject)).toThrow('not from a consumer');
  });
});
