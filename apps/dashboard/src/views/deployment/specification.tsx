import { stringify } from 'yaml';
import type { DeploymentDetail } from '../../live/queries.js';
import { Panel } from '../../parts/panel.js';
import styles from './deployment.module.css';

/** As it stands in the log, with every default written out. */
export function Specification({ deployment }: { readonly deployment: DeploymentDetail }) {
  return (
    <Panel title="Specification, with every default">
      <pre className={styles.spec} tabIndex={0} aria-label="Specification">
        {stringify(deployment.spec)}
      </pre>
    </Panel>
  );
}
