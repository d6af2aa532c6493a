import type { Engine } from '../engine.js';
import { openai } from '../openai/engine.js';

/**
 * What stands in front of a serverless endpoint. What it answers while no worker is ready is documented nowhere; a 503 is what a proxy
 * has for it. Of an endpoint that has served that says that its workers sleep, and the request wakes one.
 */
export const serverless: Engine = {
  ...openai,
  answers: [
    {
      on: 'any',
      statuses: [503],
      phase: 'steady',
      reason: 'warming',
      says: 'no worker is ready yet, and one is woken',
    },
  ],
};
