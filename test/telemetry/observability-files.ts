import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { deployFolder, readYaml } from '../docs/deployment-files.js';

export const prometheusFolder = path.join(deployFolder, 'prometheus');
const grafanaFolder = path.join(deployFolder, 'grafana');

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

export const readAlerts = (): readonly AlertRule[] => {
  const [file] = readYaml('prometheus/alerts.yaml') as { groups: { rules: AlertRule[] }[] }[];
  return file?.groups.flatMap(({ rules }) => rules) ?? [];
};

export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

/** The dashboards by file name. */
export const readDashboards = (): ReadonlyMap<string, Dashboard> =>
  new Map(
    readdirSync(grafanaFolder).map((file) => [
      file,
      JSON.parse(readFileSync(path.join(grafanaFolder, file), 'utf8')) as Dashboard,
    ]),
  );
