import { expect, test } from '@jest/globals';
import { listEvents } from './events.js';
import { readQuery } from './read-query.js';

test('of a list in a query the one value that is wrong is shown, with what would be right', () => {
  const read = readQuery(listEvents.query, { after: '0', category: 'route, nope' });
  expect(read).toMatchObject({
    ok: false,
    problems: [
      {
        path: '?category[1]',
        message: expect.stringMatching(/^"nope" is not one of the accepted values$/),
        remedy: expect.stringContaining('route'),
      },
    ],
  });
});
