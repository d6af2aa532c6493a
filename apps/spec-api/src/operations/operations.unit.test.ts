import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { OPERATIONS, operations, successOf } from '@davit/contracts';
import { type Type, RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { operationOf, routeOf } from './serves.js';

interface Route {
  readonly route: string;
  readonly status: number | undefined;
  readonly handler: object;
}

/** What Nest routes over HTTP, from the metadata that it routes by itself. */
function routes(): readonly Route[] {
  const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, AppModule) as readonly Type<object>[];
  return controllers.flatMap((controller) => {
    const prototype = controller.prototype as Readonly<Record<string, object>>;
    const prefixes = [Reflect.getMetadata(PATH_METADATA, controller) as string | readonly string[]].flat();
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name] ?? {};
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | readonly string[]].flat();
      const status = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
      return prefixes.flatMap((prefix) =>
        paths.map((path) => ({
          route: `${RequestMethod[method]} ${[prefix, path]
            .flatMap((part) => part.split('/'))
            .filter(Boolean)
            .join('/')}`,
          status,
          handler,
        })),
      );
    });
  });
}

describe('the operations of the contract', () => {
  test('are the routes of the service, no more and no fewer', () => {
    const published = OPERATIONS.map((operation) => `${operation.method} ${routeOf(operation)}`);
    expect(
      routes()
        .map(({ route }) => route)
        .toSorted(),
    ).toEqual(published.toSorted());
  });

  test('are each served by the handler that says so, with the status that they state', () => {
    for (const { route, handler, status } of routes()) {
      const operation = operationOf(handler);
      expect({ route, status }).toEqual({ route, status: operation && successOf(operation) });
      expect(operation && `${operation.method} ${routeOf(operation)}`).toBe(route);
    }
  });

  test('are called by the names under which they are exported', () => {
    const named = Object.entries(operations).filter(([, value]) => OPERATIONS.some((operation) => operation === value));
    expect(named).toHaveLength(OPERATIONS.length);
    for (const [name, operation] of named) expect(operation).toMatchObject({ id: name });
  });

  test('name each part of their paths', () => {
    for (const { id, path, params } of OPERATIONS) {
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
      expect({ id, parts: Object.keys(params?.shape ?? {}) }).toEqual({ id, parts });
    }
  });
});
