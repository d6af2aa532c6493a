import { Log0001Foundation1764374400000 } from './0001/migration.js';
import { Log0002ReadConditions1764460800000 } from './0002/migration.js';
import { Log0003Evidence1764547200000 } from './0003/migration.js';

/** Migrations of schema `log`, oldest first. */
export const logMigrations = [
  Log0001Foundation1764374400000,
  Log0002ReadConditions1764460800000,
  Log0003Evidence1764547200000,
];
