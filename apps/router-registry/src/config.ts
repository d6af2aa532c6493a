import { z } from 'zod';
import { FILE_FORMATS } from './exports/formats/index.js';
import { parseReload, parseRouteFiles } from './exports/files.js';

const FILES = `Set formats and absolute paths, for example "nginx:/etc/nginx/davit.conf,haproxy:/run/davit.cfg". Formats: ${FILE_FORMATS.join(', ')}.`;
const RELOAD = `Set a program and its arguments as a JSON list, for example '["nginx","-s","reload"]'.`;

const parsed =
  <Value>(parse: (text: string) => Value | undefined, error: string) =>
  (text: string, context: z.RefinementCtx): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `is not usable. ${error}` });
    return z.NEVER;
  };

/** Variables of router-registry, beside the common ones. */
export const routerRegistryConfig = z.object({
  /** Files that are kept equal to the routes: format and path, with commas between them. */
  DAVIT_ROUTE_FILES: z.string({ error: FILES }).transform(parsed(parseRouteFiles, FILES)).optional(),
  /** Program that is run, without a shell, after files changed. */
  DAVIT_ROUTE_RELOAD: z.string({ error: RELOAD }).transform(parsed(parseReload, RELOAD)).optional(),
  /** File with a key that readers of routes have to send; without it whoever reaches the port may read. */
  DAVIT_READER_KEY_FILE: z.string().optional(),
});
