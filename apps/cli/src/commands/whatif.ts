import { CommandError, exitCodes } from '../exit-codes.js';
import { readManifest } from '../manifest.js';
import { whatIfText } from '../output/whatif-views.js';
import type { Session } from '../session.js';

export interface WhatIfOptions {
  readonly file?: string;
  readonly from?: string;
  readonly to?: string;
  readonly objective?: string;
  readonly against?: string;
}

/** Shows what would have been decided, waited for and spent under another specification or policy. It changes nothing. */
export async function whatIf(session: Session, options: WhatIfOptions): Promise<void> {
  const { file, from, to, objective, against } = options;
  if (file === undefined && against === undefined)
    throw new CommandError(
      exitCodes.badInput,
      'error  nothing to replay: write -f FILE for a specification, --against DEPLOYMENT for what was declared, or both.',
    );
  const said = { from, to, objective, against };
  const view = await session.client.whatIf({
    ...(file === undefined ? {} : { deployment: readManifest(file) }),
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  });
  session.print(view, () => whatIfText(view));
}
