import { z } from 'zod';
import { NAME_PATTERN, deploymentName, tenantName } from '../../primitives.js';

/** A whole number; `usual` where nothing is said. */
export const wholeNumber = (usual: number, maximum: number = Number.MAX_SAFE_INTEGER, minimum = 0) =>
  z
    .int({ error: `is not a whole number from ${minimum} to ${maximum}; write for example ${usual}` })
    .min(minimum, { error: `is not a whole number from ${minimum} to ${maximum}; write for example ${usual}` })
    .max(maximum, { error: `is not a whole number from ${minimum} to ${maximum}; write for example ${usual}` })
    .default(usual);

/** How many at most; nobody asks for none. */
export const countUpTo = (maximum: number, usual: number) => wholeNumber(usual, maximum, 1);

export const flag = z.boolean({ error: 'is not true or false; write one of the two' });

export const onlyOfTenant = z
  .string()
  .max(40)
  .regex(NAME_PATTERN, { error: 'is not a tenant; write its name, for example default' })
  .describe('Only what belongs to this tenant.')
  .optional();

/** `tenant/name`, or a name of the default tenant, read as a deployment's key. */
export const deploymentReference = z
  .string()
  .max(100)
  .regex(/^([a-z]([a-z0-9-]*[a-z0-9])?\/)?[a-z]([a-z0-9-]*[a-z0-9])?$/, {
    error: 'is not a deployment; write NAME or TENANT/NAME',
  })
  .transform((text) => (text.includes('/') ? text : `default/${text}`));

export const onlyOfDeployment = deploymentReference.describe('Only what belongs to this deployment.').optional();

/** What is over, dealt with or gone is left out unless it is asked for. */
export const alsoPast = flag.default(false).describe('Also what is over, dealt with or proven gone.');

/** An instant, or so long ago. */
export const moment = z
  .string()
  .max(40)
  .describe('An instant, or so long ago: `30m`, `2h`, `7d`.')
  .meta({ examples: ['2h', '2026-09-01T16:00:00Z'] })
  .optional();

/** A position of the log, or a time. */
export const momentOfLog = z
  .string()
  .max(40)
  .regex(/^(\d{1,15}|\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d))$/, {
    error: 'is neither a position nor a time; write 4711, or 2026-09-01T16:00:00Z',
  })
  .meta({ examples: ['4711', '2026-09-01T16:00:00Z'] });

/** Every question can be asked of the past. */
export const asOf = {
  at: momentOfLog.describe('The answer is as it was at this position of the log, or at this time.').optional(),
};

export const onlyOfAdapter = z.string().max(60).describe('Only of this adapter.').optional();

/** A database takes no NUL, and no name has a control character. */
export const isPlain = (text: string): boolean => !/\p{Cc}/u.test(text);

/** What stands behind the tenant in the name of a thing. */
export const nameInPath = z.string().min(1).max(100).refine(isPlain, { error: 'is no name' });

/** One deployment, in a path. */
export const deploymentPath = z.strictObject({ tenant: tenantName, name: deploymentName });

/** One rollout, in a path. */
export const rolloutPath = z.strictObject({
  tenant: tenantName,
  rollout: z
    .string()
    .max(100)
    .regex(/^[a-z][a-z0-9-]*-\d+-\d+$/, { error: 'is not a rollout; write NAME-REVISION-ATTEMPT' }),
});

/** Rows of the longest page, and of one where nothing is said. */
export const LONGEST_PAGE = 10_000;

/**
 * Which part of a list is wanted. Rows are in the order of their keys, so that pages neither lose nor double a row that is there
 * throughout, whatever comes and goes meanwhile.
 */
export const listPart = {
  limit: countUpTo(LONGEST_PAGE, LONGEST_PAGE).describe('At most so many rows.'),
  after: z.string().min(1).max(400).describe('`next` of the page before.').optional(),
  changedAfter: z
    .int({ error: 'is not a position; write a whole number' })
    .nonnegative()
    .describe(
      'Only rows that changed after this position of the log, with their last state where they are over, dealt with or gone: `position` of the answer before.',
    )
    .optional(),
};

/** A list, with the position of the log that it stands for. */
export const listing = <Row extends z.ZodType>(row: Row) =>
  z.object({
    position: z.int().nonnegative().describe('Position of the log that this stands for.'),
    items: z.array(row),
    next: z
      .string()
      .nullable()
      .describe('Ask with `after` set to this for what follows; null at the end, absent from lists without pages.')
      .optional(),
  });
