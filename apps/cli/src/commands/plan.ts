import { readManifest } from '../manifest.js';
import { planText } from '../output/views.js';
import type { Session } from '../session.js';

/** Shows what applying would do and cost. It changes nothing and records nothing. */
export async function plan(session: Session, options: { readonly file: string }): Promise<void> {
  const view = await session.client.plan(readManifest(options.file));
  session.print(
    view,
    () => `${planText(view, session.nowMs())}\nNo side effects. Apply with: davit apply -f ${options.file}`,
  );
}
