import { Alert, Stack, Tabs, Title } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { ApiError } from '../../api/http.js';
import { useEvents } from '../../live/events-query.js';
import { type DeploymentDetail, useDeployment, useRoutes } from '../../live/queries.js';
import { PageLink } from '../../parts/link.js';
import { Mark } from '../../parts/mark.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { DataTable } from '../../parts/table.js';
import { Lasting } from '../../parts/time.js';
import { useAt, useSetParameters } from '../../time/at.js';
import { toneOfCondition, toneOfDeployment } from '../../words/states.js';
import { REPLICA_COLUMNS_OF_ONE } from '../replica-columns.js';
import { Rollouts } from '../rollout/rollouts.js';
import { Actions } from './actions.js';
import { CostTab } from './cost-tab.js';
import styles from './deployment.module.css';
import { Facts } from './facts.js';
import { LoadChart } from './load-chart.js';
import { Revisions } from './revisions.js';
import { RoutesTable } from './routes-panel.js';
import { Specification } from './specification.js';
import { TimelineChart } from './timeline-chart.js';

const TABS = ['overview', 'rollout', 'revisions', 'load', 'cost', 'spec'] as const;

/** All that is known of one deployment. */
export default function Deployment() {
  const { tenant = '', name = '' } = useParams();
  const key = `${tenant}/${name}`;
  const answer = useDeployment(key);
  const at = useAt();
  if (answer.error instanceof ApiError && answer.error.status === 404) {
    return (
      <Stack gap="md">
        <Title order={1} size="h3">
          {key}
        </Title>
        <Panel title="Deployment">
          <Empty title={at === undefined ? 'There is no such deployment' : 'There was no such deployment then'}>
            <PageLink to="/">Back to the fleet</PageLink>
          </Empty>
        </Panel>
      </Stack>
    );
  }
  return (
    <Answered answer={answer} lines={10}>
      {(deployment) => <Told deployment={deployment} id={key} />}
    </Answered>
  );
}

function Told({ deployment, id }: { readonly deployment: DeploymentDetail; readonly id: string }) {
  const [parameters] = useSearchParams();
  const set = useSetParameters();
  const asked = parameters.get('tab');
  const tab = TABS.find((one) => one === asked) ?? 'overview';
  const { tone, word } = toneOfDeployment(deployment);
  return (
    <Stack gap="md">
      <div className={styles.head}>
        <div>
          <Title order={1} size="h3">
            {id}
          </Title>
          <Mark tone={tone}>{word}</Mark>
        </div>
        <Actions deployment={deployment} />
      </div>
      {deployment.paused && (
        <Alert color="yellow" variant="light" title="Paused">
          Nothing is started, replaced or deleted: {deployment.paused.reason} (
          <Lasting since={deployment.paused.since} />
          {deployment.paused.actor === null ? '' : `, by ${deployment.paused.actor}`})
        </Alert>
      )}
      <ul className={styles.conditions} aria-label="Conditions">
        {deployment.conditions.map(({ condition, status, reason, message, since }) => (
          <li key={condition}>
            <Mark tone={toneOfCondition({ condition, status })}>
              <span title={message === '' ? reason : message}>
                {condition} {status} · {reason}
              </span>
              <span className={styles.age}>
                <Lasting since={since} />
              </span>
            </Mark>
          </li>
        ))}
      </ul>
      <Tabs value={tab} onChange={(next) => set({ tab: next === 'overview' ? null : next }, true)} keepMounted={false}>
        <Tabs.List className={styles.tabs}>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one} tt="capitalize">
              {one}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview" pt="md">
          <Overview deployment={deployment} id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="rollout" pt="md">
          <Rollouts id={id} objectives={deployment.spec.spec.rollout.evidence?.objectives} />
        </Tabs.Panel>
        <Tabs.Panel value="revisions" pt="md">
          <Revisions id={id} active={deployment.activeRevision} />
        </Tabs.Panel>
        <Tabs.Panel value="load" pt="md">
          <LoadChart id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="cost" pt="md">
          <CostTab id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="spec" pt="md">
          <Specification deployment={deployment} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

const keyOf = ({ id }: { readonly id: string }): string => id;

function Overview({ deployment, id }: { readonly deployment: DeploymentDetail; readonly id: string }) {
  const routes = useRoutes();
  const events = useEvents({ deployment: id, category: 'replica,runtime' }, ['replica', 'runtime']);
  return (
    <Stack gap="md">
      <Facts deployment={deployment} />
      <Panel title="Replicas">
        {deployment.replicas.length === 0 ? (
          <Empty title="It has no replica" />
        ) : (
          <DataTable
            label="Replicas"
            rows={deployment.replicas}
            columns={REPLICA_COLUMNS_OF_ONE}
            keyOf={keyOf}
            maxHeight="340px"
          />
        )}
      </Panel>
      <Panel title="Lives of its replicas">
        <Answered answer={events} lines={4}>
          {(known) => <TimelineChart events={known} />}
        </Answered>
      </Panel>
      <Panel title="Routes">
        <Answered answer={routes}>
          {({ items }) => (
            <RoutesTable
              maxHeight="300px"
              routes={items.filter(
                (route) =>
                  [...route.targets, ...route.draining].some((target) => target.deployment === id) ||
                  route.alias === `${deployment.tenant}/${deployment.spec.spec.model.servedName}`,
              )}
            />
          )}
        </Answered>
      </Panel>
    </Stack>
  );
}
