import { Log0001Foundation1764374400000 } from './0001/migration.js';

/** Migrations of schema `log`, oldest first. */
export const logMigrations = [Log0001Foundation1764374400000];
