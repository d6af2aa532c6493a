import { InvalidEventError } from '@davit/contracts';
import { describe, expect, it } from '@jest/globals';
import { EventReader } from './read-event.js';

const payload = (position: number, detail = ''): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      ...{ specversion: '1.0', id: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}` },
      ...{ source: '/davit/test', type: 'davit.route.withdrawn', subject: 'default/qwen' },
      ...{ time: '2026-01-01T00:00:00.000Z', dataschema: 'davit:route.withdrawn:v1', tenant: 'default' },
      ...{ stream: 'route/default/qwen', version: position, position },
      data: { alias: 'default/qwen', snapshot: 1, replica: 'default/qwen-1-0-1', reason: `hung${detail}` },
    }),
  );

describe('events that several subscriptions of one process read', () => {
  it('are the same objects where their bytes are the same, and cannot be changed by one of them', () => {
    const reader = new EventReader();
    const event = reader.read(7, payload(7));
    expect(reader.read(7, payload(7))).toBe(event);
    expect(() => Object.assign(event.data, { reason: 'none' })).toThrow(TypeError);
    expect(() => Object.assign(event, { position: 8 })).toThrow(TypeError);
  });

  it('are others where the broker holds other bytes at that position', () => {
    const reader = new EventReader();
    reader.read(7, payload(7));
    expect(reader.read(7, payload(7, ' again')).data).toMatchObject({ reason: 'hung again' });
    expect(reader.read(7, payload(7)).data).toMatchObject({ reason: 'hung' });
  });

  it('do not keep the bytes that they came with', () => {
    const reader = new EventReader();
    const arrived = Buffer.from(payload(7));
    const event = reader.read(7, arrived);
    arrived.fill(0);
    expect(reader.read(7, payload(7))).toBe(event);
  });

  it('are forgotten once others came after them, and told when they cannot be read, each time', () => {
    const reader = new EventReader();
    const event = reader.read(1, payload(1));
    for (let position = 2; position <= 65; position++) reader.read(position, payload(position));
    expect(reader.read(1, payload(1))).not.toBe(event);
    for (let time = 0; time < 2; time++) expect(() => reader.read(2, Buffer.from('{}'))).toThrow(InvalidEventError);
  });
});
