import type { KeyView } from '@davit/contracts';
import { age, table } from './table.js';

export const keysTable = (keys: readonly KeyView[], nowMs: number): string =>
  table(
    ['ID', 'NAME', 'ROLE', 'TENANTS', 'STATE', 'AGE', 'EXPIRES', 'MADE BY'],
    keys.map(({ id, name, role, tenants, state, createdAt, expiresAt, createdBy }) => [
      ...[id, name, role, tenants === 'all' ? 'all' : tenants.join(' '), state],
      ...[age(createdAt, nowMs), expiresAt ?? 'never', createdBy ?? '–'],
    ]),
  );
