import { isIP } from 'node:net';
import { type RouteTable, serverName, titleOf } from '../table.js';

/** Seconds that a resolver may keep an answer: routes change within moments. */
const TTL = 5;
const LARGEST_SERIAL = 2 ** 32;

/**
 * A zone in master file format (RFC 1035, RFC 2782): for each alias its serving targets as `_http._tcp.<name>` SRV records with
 * their weights, and addresses under `<name>` where they are IP addresses. Draining targets are left out.
 * @param origin the zone with a dot at its end, such as `davit.internal.`
 */
export function dnsZone(table: RouteTable, origin = 'davit.internal.'): string {
  const addresses = new Map<string, string>();
  const records = table.aliases.flatMap(({ name, endpoints }) =>
    endpoints
      .filter(({ state, weight }) => state === 'serving' && weight > 0)
      .flatMap((endpoint) => {
        const { host, port, weight, tls } = endpoint;
        const version = isIP(host);
        const type = version === 6 ? 'AAAA' : 'A';
        const own = `${serverName(endpoint)}.server`;
        if (version !== 0) addresses.set(own, `${own} ${TTL} IN ${type} ${host}`);
        const server = version === 0 ? `${host}.` : own;
        return [
          `_${tls ? 'https' : 'http'}._tcp.${name} ${TTL} IN SRV 0 ${weight} ${port} ${server}`,
          ...(version === 0 ? [] : [`${name} ${TTL} IN ${type} ${host}`]),
        ];
      }),
  );
  const serial = table.position % LARGEST_SERIAL;
  return [
    `; ${titleOf(table)}`,
    `$ORIGIN ${origin}`,
    `$TTL ${TTL}`,
    `@ IN SOA ns hostmaster ${serial} 60 15 86400 ${TTL}`,
    '@ IN NS ns',
    'ns IN A 127.0.0.1',
    // A server with two aliases on one port has one record of its own.
    ...new Set([...records, ...addresses.values()]),
    '',
  ].join('\n');
}
