import { MAX_WEIGHT } from '@davit/contracts';
import { type RouteEndpoint, type RouteTable, authority, serverName, titleOf } from '../table.js';

/** HAProxy's largest weight. */
const MOST = 256;

/**
 * One backend for each alias (https://docs.haproxy.org/2.6/configuration.html). A draining server has weight 0: it gets no new
 * requests and ends those it has.
 */
export function haproxyBackends(table: RouteTable): string {
  const backends = table.aliases.map(({ alias, name, snapshot, endpoints }) =>
    [`# ${alias}, snapshot ${snapshot}`, `backend ${name}`, '    balance leastconn', ...endpoints.map(serverLine)].join(
      '\n',
    ),
  );
  return `# ${titleOf(table)}\n${backends.map((text) => `\n${text}\n`).join('')}`;
}

function serverLine(endpoint: RouteEndpoint): string {
  const { tls, host } = endpoint;
  const secure = tls ? ` ssl verify required ca-file @system-ca sni str(${host})` : '';
  return `    server ${serverName(endpoint)} ${authority(endpoint)} weight ${weightOf(endpoint)}${secure}`;
}

const weightOf = ({ state, weight }: RouteEndpoint): number =>
  state === 'draining' || weight === 0 ? 0 : Math.max(1, Math.round((weight * MOST) / MAX_WEIGHT));
