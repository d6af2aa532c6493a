import { z } from 'zod';
import { diffView } from '../diff.js';
import { replayRequest, replayView } from '../replay.js';
import { defineOperation } from './define.js';
import { countUpTo, momentOfLog, onlyOfDeployment } from './parameters.js';

const question = { tag: 'past', role: 'viewer' } as const;

export const getDiff = defineOperation({
  ...question,
  id: 'getDiff',
  method: 'GET',
  path: '/v1/diff',
  summary: 'What is other at one moment of the log than at an earlier one, and which event made each difference',
  query: z.strictObject({
    from: momentOfLog.describe('The earlier moment: a position of the log, or a time.'),
    to: momentOfLog.describe('The later moment; now where nothing is said.').optional(),
    deployment: onlyOfDeployment,
    limit: countUpTo(2_000, 500).describe('Things that changed, at most.'),
  }),
  responses: { 200: diffView },
  problems: [404, 422],
});

export const replay = defineOperation({
  ...question,
  id: 'replay',
  method: 'POST',
  path: '/v1/replay',
  summary: 'Every recorded decision of a span, taken again under another policy; nothing is changed',
  body: replayRequest,
  responses: { 200: replayView },
  problems: [404, 422],
});
