import { describe, expect, it } from '@jest/globals';
import { readPods } from './runpod-pods.js';

const page = (cost: string): string =>
  `{"pods":[{"id":"p1","name":"dv-x","status":"RUNNING",${cost}"runtime":{"ports":[{"public":10022,"ip":"203.0.113.7"}]}}],
    "pagination":{"hasNextPage":false}}`;
const read = (body: string) => readPods(body, 100, 'runpod-pods', '2026-01-01T00:00:00.000Z');
const billed = (cost: string) => {
  const pods = read(page(cost));
  return typeof pods === 'string' ? pods : (pods.machines[0]?.price?.amount ?? null);
};

describe('what a list of pods says is billed', () => {
  it('is the text that RunPod wrote, however small or long: no float is on the way', () => {
    expect(billed('"cost":0.860,')).toBe('0.860');
    expect(billed('"cost":12345678901234567.12,')).toBe('12345678901234567.12');
    expect(billed('"cost":8.6e-1,')).toBe('0.86');
  });
  it('is missing where no rate is named, or zero, or no amount at all: a missing price is never zero', () => {
    for (const cost of ['', '"cost":null,', '"cost":0,', '"cost":0.0,', '"cost":-1,']) expect(billed(cost)).toBeNull();
  });
  it('stands beside the addresses of the pod', () =>
    expect(read(page(''))).toMatchObject({ machines: [{ addresses: ['203.0.113.7:10022'] }], nextCursor: null }));
});
