import { describe, expect, test } from '@jest/globals';
import { RouteTable } from './route-table.js';

describe('the methods of a path', () => {
  const table = new RouteTable();
  table.add('GET', '/v1/deployments/:tenant/:name');
  table.add('GET', '/v1/plan');
  table.add('POST', '/v1/plan');

  test.each([
    ['/v1/plan', ['GET', 'POST']],
    ['/v1/plan/', ['GET', 'POST']],
    ['/v1/deployments/default/x', ['GET']],
    ['/v1/deployments/default', []],
    ['/v1/deployments/default/x/y', []],
    ['/v1/plans', []],
    ['/V1/plan', []],
  ])('%s: %j', (path, methods) => {
    expect(table.methodsAt(path)).toEqual(methods);
  });
});
