import { Empty, Panel } from '../parts/panel.js';
import { PageLink } from '../parts/link.js';

export function NotFound() {
  return (
    <Panel title="Nothing is here">
      <Empty title="This address leads nowhere">
        It may be of another release. <PageLink to="/">Back to the fleet</PageLink>
      </Empty>
    </Panel>
  );
}
