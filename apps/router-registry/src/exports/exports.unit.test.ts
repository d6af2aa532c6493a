import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { parseReload, parseRouteFiles } from './files.js';
import { dnsZone } from './formats/dns-zone.js';
import { clusterDiscovery, endpointDiscovery } from './formats/envoy.js';
import { haproxyBackends } from './formats/haproxy.js';
import { Body } from './body.js';
import { HttpSdList, httpSd } from './formats/http-sd.js';
import { FILE_FORMATS, render } from './formats/index.js';
import { liteLlm } from './formats/litellm.js';
import { nginxUpstreams } from './formats/nginx.js';
import { exportName, tableOf } from './table.js';
import { table, target, view } from './testing/tables.js';

const ROUTES = table(
  {
    targets: [
      target(0, 'http://10.0.0.1:8000', { adapters: ['sql-lora'], labels: { team: 'search', 'a.b': 'c' } }),
      target(1, 'https://gpu.example.com/v1/proxy/', { weight: 300 }),
    ],
    draining: [target(2, 'http://[2001:db8::1]:8000')],
  },
  { alias: 'default/empty', snapshot: 9, position: 1400 },
);
const EMPTY = tableOf([]);

describe('the table of routes', () => {
  it('has the number of its newest change, and a digest of what it says', () => {
    expect(ROUTES.position).toBe(1400);
    expect(table({ targets: [target(0, 'http://10.0.0.1:8000')] }).digest).not.toBe(
      table({ targets: [target(0, 'http://10.0.0.2:8000')] }).digest,
    );
    const views = [view({}), view({ alias: 'acme/other' })];
    expect(tableOf(views)).toEqual(tableOf(views.toReversed()));
  });

  it('gives each alias a name of its own that every program takes', () => {
    expect(exportName('default/qwen3-8b')).toBe('default-qwen3-8b');
    const alias = fc
      .tuple(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/), fc.stringMatching(/^[\w./:-]{1,60}$/))
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(alias, alias, (a, b) => {
        expect(exportName(a)).toMatch(/^[a-z0-9-]{1,50}$/);
        expect(exportName(a) === exportName(b)).toBe(a === b);
      }),
      { numRuns: 500 },
    );
    expect(exportName('a/b-c')).not.toBe(exportName('a-b/c'));
  });

  it('is written with its number inside, in every format', () => {
    for (const format of FILE_FORMATS) {
      const text = render(format, ROUTES);
      // A list of targets has no place for a number of the whole: there each target has that of its alias.
      expect(text).toContain(format === 'http-sd' ? '"__meta_davit_snapshot": "7"' : '1400');
      expect(text.endsWith('\n')).toBe(true);
      expect(render(format, EMPTY)).not.toBe('');
    }
  });
});

describe('Prometheus http_sd', () => {
  it('lists each server once, with what is known of it', () => {
    const [first, second, third, ...more] = httpSd(ROUTES);
    expect(more).toEqual([]);
    expect(first).toEqual({
      targets: ['10.0.0.1:8000'],
      labels: {
        __scheme__: 'http',
        __metrics_path__: '/metrics',
        __meta_davit_tenant: 'default',
        __meta_davit_model: 'qwen',
        __meta_davit_aliases: ',default/qwen,',
        __meta_davit_deployment: 'default/qwen',
        __meta_davit_replica: 'default/qwen-1-0-1',
        __meta_davit_revision: '1',
        __meta_davit_generation: '3',
        __meta_davit_state: 'serving',
        __meta_davit_weight: '100',
        __meta_davit_snapshot: '7',
        __meta_davit_label_team: 'search',
        __meta_davit_label_a_b: 'c',
      },
    });
    expect(second).toMatchObject({
      targets: ['gpu.example.com:443'],
      labels: { __scheme__: 'https', __metrics_path__: '/v1/proxy/metrics' },
    });
    expect(third).toMatchObject({ targets: ['[2001:db8::1]:8000'], labels: { __meta_davit_state: 'draining' } });
  });

  it('is empty only when nothing is routed, and says so with a list', () => expect(httpSd(EMPTY)).toEqual([]));

  it('is the same when only what changed is made anew, whatever comes, goes and is shared between aliases', () => {
    const server = (ordinal: number) => target(ordinal, `http://10.0.0.${ordinal}:8000`);
    const listing = fc.dictionary(fc.constantFrom('default/a', 'default/b', 'acme/c'), fc.uniqueArray(fc.nat(3)));
    fc.assert(
      fc.property(fc.array(listing, { minLength: 1, maxLength: 6 }), (tables) => {
        const list = new HttpSdList();
        for (const [turn, aliases] of tables.entries()) {
          const views = Object.entries(aliases).map(([alias, ordinals]) =>
            view({ alias, snapshot: turn + 1, targets: ordinals.map(server) }),
          );
          const whole = tableOf(views);
          const text = new Body(list.pieces(whole), 'application/json').plain.toString();
          expect(JSON.parse(text)).toEqual(httpSd(whole));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('names a server with two aliases once, with both', () => {
    const one = target(0, 'http://10.0.0.1:8000');
    const [only, ...more] = httpSd(table({ targets: [one] }, { alias: 'default/chat', targets: [one] }));
    expect(more).toEqual([]);
    expect(only?.labels['__meta_davit_aliases']).toBe(',default/chat,default/qwen,');
  });
});

describe('Envoy', () => {
  it('gets endpoints with health and weight, for the clusters that it asks for', () => {
    const [first, ...more] = endpointDiscovery(ROUTES, ['default-qwen']).resources;
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      '@type': 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment',
      cluster_name: 'default-qwen',
      endpoints: [
        {
          lb_endpoints: [
            {
              endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 8000 } } },
              health_status: 'HEALTHY',
              load_balancing_weight: 100,
            },
            { load_balancing_weight: 300 },
            { health_status: 'DRAINING' },
          ],
        },
      ],
    });
    expect(endpointDiscovery(ROUTES)).toMatchObject({ version_info: '1400', nonce: '1400', resources: [{}, {}] });
  });

  it('discovers addresses, and resolves names itself', () => {
    const source = { apiCluster: 'davit' };
    const plain = clusterDiscovery(table({ targets: [target(0, 'http://10.0.0.1:8000')] }), source).resources;
    expect(plain).toMatchObject([
      {
        name: 'default-qwen',
        type: 'EDS',
        eds_cluster_config: { eds_config: { api_config_source: { api_type: 'REST' } } },
      },
    ]);
    const [, named] = clusterDiscovery(ROUTES, { file: '/etc/envoy/eds.json' }).resources;
    expect(named).toMatchObject({
      type: 'STRICT_DNS',
      load_assignment: { cluster_name: 'default-qwen' },
      transport_socket: { typed_config: { sni: 'gpu.example.com' } },
    });
  });
});

describe('LiteLLM', () => {
  it('gets an entry for each name of each serving target', () => {
    expect(liteLlm(ROUTES).model_list.map(({ model_name, litellm_params }) => [model_name, litellm_params])).toEqual([
      ['default/qwen', { model: 'openai/qwen', api_base: 'http://10.0.0.1:8000/v1', weight: 100 }],
      ['default/sql-lora', { model: 'openai/sql-lora', api_base: 'http://10.0.0.1:8000/v1', weight: 100 }],
      ['default/qwen', { model: 'openai/qwen', api_base: 'https://gpu.example.com/v1/proxy/v1', weight: 300 }],
    ]);
  });

  it('gets an id of its own for every entry, also where a server has several aliases', () => {
    const targets = [target(0, 'http://10.0.0.1:8000'), target(1, 'http://10.0.0.2:8000')];
    const ids = liteLlm(table({ targets }, { alias: 'default/chat', targets })).model_list.map(
      ({ model_info }) => model_info['id'],
    );
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
  });
});

describe('files of proxies and name servers', () => {
  it('nginx: a draining server is down, and no upstream is without a server', () => {
    const text = nginxUpstreams(ROUTES);
    expect(text).toContain('    server 10.0.0.1:8000 weight=100; # default/qwen-1-0-1\n');
    expect(text).toContain('    server [2001:db8::1]:8000 down; # default/qwen-1-2-1\n');
    expect(text).toContain('upstream default-empty {\n    least_conn;\n    server 127.0.0.1:9 down;');
  });

  it('HAProxy: a draining server has weight 0, one without requests too', () => {
    const text = haproxyBackends(ROUTES);
    expect(text).toMatch(/backend default-qwen\n {4}balance leastconn\n {4}server \S+ 10\.0\.0\.1:8000 weight 26\n/);
    expect(text).toMatch(/server \S+ \[2001:db8::1\]:8000 weight 0\n/);
    expect(text).toMatch(/weight 77 ssl verify required/);
    expect(haproxyBackends(table({ targets: [target(0, 'http://10.0.0.1:80', { weight: 0 })] }))).toContain('weight 0');
  });

  it('DNS: addresses and weights of what serves, under a serial that grows', () => {
    const text = dnsZone(ROUTES, 'models.internal.');
    expect(text).toContain('$ORIGIN models.internal.\n');
    expect(text).toMatch(/@ IN SOA ns hostmaster 1400 /);
    expect(text).toMatch(/_http\._tcp\.default-qwen 5 IN SRV 0 100 8000 \S+\.server\n/);
    expect(text).toContain('default-qwen 5 IN A 10.0.0.1\n');
    expect(text).toContain('_https._tcp.default-qwen 5 IN SRV 0 300 443 gpu.example.com.\n');
    expect(text).not.toContain('2001:db8');
  });
});

describe('settings of files', () => {
  it.each([
    ['nginx:/etc/nginx/davit.conf, haproxy:/run/davit.cfg', 2],
    ['', 0],
    ['nginx:relative.conf', undefined],
    ['apache:/etc/davit.conf', undefined],
    ['/etc/davit.conf', undefined],
  ])('"%s"', (text, count) => expect(parseRouteFiles(text)?.length).toBe(count));

  it.each([
    ['["nginx","-s","reload"]', ['nginx', '-s', 'reload']],
    ['nginx -s reload', undefined],
    ['[]', undefined],
    ['["nginx",1]', undefined],
  ])('reload %s', (text, command) => expect(parseReload(text)).toEqual(command));
});
