import type { NormalisedDeployment } from '@davit/contracts';
import { supportOf } from '@davit/provider-kit';

/** What is claimed of adapter, cloud and engine, told only where it is less than held against the real thing. */
export function supportNotes({ spec }: NormalisedDeployment): string[] {
  const { compute, runtime } = spec;
  const clouds =
    compute.mode === 'elastic'
      ? [...new Set(compute.placements.map(({ cloud }) => cloud))]
      : [compute.mode === 'serverless' ? 'vast' : null];
  return clouds.flatMap((cloud) => {
    const { level } = supportOf(compute.adapter, cloud, runtime.engine);
    if (level === 'real-qualified') return [];
    const what = [compute.adapter, cloud, runtime.engine].filter((part) => part !== null).join(' · ');
    return [`Support of ${what}: ${level}.`];
  });
}
