import { type RouteTable, authority, titleOf } from '../table.js';

/**
 * One upstream for each alias, to be included in the `http` block (https://nginx.org/en/docs/http/ngx_http_upstream_module.html).
 * A draining server is `down`: workers from before the reload end the requests they have. nginx takes no upstream without a
 * server, so that one which an event emptied has a server that is down.
 */
export function nginxUpstreams(table: RouteTable): string {
  const upstreams = table.aliases.map(({ alias, name, snapshot, endpoints }) => {
    const servers = endpoints.map((endpoint) => {
      const { state, weight, target } = endpoint;
      const isUp = state === 'serving' && weight > 0;
      return `    server ${authority(endpoint)}${isUp ? ` weight=${weight}` : ' down'}; # ${target.replica}`;
    });
    const lines = servers.length > 0 ? servers : ['    server 127.0.0.1:9 down; # no target: an event emptied it'];
    return [`# ${alias}, snapshot ${snapshot}`, `upstream ${name} {`, '    least_conn;', ...lines, '}'].join('\n');
  });
  return `# ${titleOf(table)}\n${upstreams.map((text) => `\n${text}\n`).join('')}`;
}
