import type { RouteTable } from '../table.js';
import { dnsZone } from './dns-zone.js';
import { clusterDiscovery, endpointDiscovery } from './envoy.js';
import { haproxyBackends } from './haproxy.js';
import { httpSd } from './http-sd.js';
import { liteLlm } from './litellm.js';
import { nginxUpstreams } from './nginx.js';

/** Kinds of files that routes are written as. */
export const FILE_FORMATS = ['envoy-cds', 'envoy-eds', 'haproxy', 'http-sd', 'litellm', 'nginx', 'zone'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Text of a whole file, with the number of the snapshot inside. JSON knows no comments: there the number stands in a field that
 * its reader passes over, or in the labels of each target.
 * @param edsPath where the clusters of `envoy-cds` find their endpoints
 */
export function render(format: FileFormat, table: RouteTable, edsPath = '/etc/envoy/davit-eds.json'): string {
  switch (format) {
    case 'envoy-cds':
      return json(clusterDiscovery(table, { file: edsPath }));
    case 'envoy-eds':
      return json(endpointDiscovery(table));
    case 'haproxy':
      return haproxyBackends(table);
    case 'http-sd':
      return json(httpSd(table));
    case 'litellm':
      return `# Davit routes: snapshot ${table.position}, sha256 ${table.digest}.\n${json(liteLlm(table))}`;
    case 'nginx':
      return nginxUpstreams(table);
    case 'zone':
      return dnsZone(table);
  }
}
