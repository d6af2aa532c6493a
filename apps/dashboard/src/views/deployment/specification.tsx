import type { NormalisedDeployment } from '@davit/contracts';
import { stringify } from 'yaml';
import type { DeploymentDetail } from '../../live/queries.js';
import { Panel } from '../../parts/panel.js';
import styles from './deployment.module.css';

const PARTS = ['model', 'runtime', 'compute', 'scaling', 'readiness', 'rollout', 'budget'];

/** In the order in which people write it: what is stored has lost it. */
function inOrder({ apiVersion, kind, metadata, spec }: NormalisedDeployment): object {
  const parts = Object.entries(spec).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  return { apiVersion, kind, metadata, spec: Object.fromEntries(parts) };
}

/** Parts that nobody thought of come last. */
const rankOf = (part: string): number => (PARTS.includes(part) ? PARTS.indexOf(part) : PARTS.length);

/** As it stands in the log, with every default written out. */
export function Specification({ deployment }: { readonly deployment: DeploymentDetail }) {
  return (
    <Panel title="Specification, with every default">
      <pre className={styles.spec} tabIndex={0} aria-label="Specification">
        {stringify(inOrder(deployment.spec))}
      </pre>
    </Panel>
  );
}
