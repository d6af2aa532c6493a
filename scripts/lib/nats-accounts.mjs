/** Services, with what each of them does on the bus beside what all of them do. */
const SERVICES = {
  'spec-api': {
    publish: [
      ...['davit.intent-answer.*', 'davit.intent-claim', 'davit.deadletter.>', 'davit.tenant.*.log.>'],
      ...manages('TENANTS'),
      ...consumes('INTENTS', 'DEADLETTERS', 'TENANTS'),
      // Answers to what came from the account of a tenant.
      '_R_.>',
    ],
    subscribe: ['davit.intent.>', 'davit.intent-answer.*', 'davit.intent-claim', 'davit.tenant.*.intent.>'],
  },
  orchestrator: { publish: [], subscribe: [] },
  'skypilot-agent': { publish: [], subscribe: [] },
  'capacity-advisor': { publish: [], subscribe: [] },
  'runtime-prober': { publish: [], subscribe: [] },
  'router-registry': {
    publish: ['$KV.routes.>', '$JS.API.DIRECT.GET.KV_routes.>', ...manages('KV_routes'), ...consumes('KV_routes')],
    subscribe: [],
  },
  'vast-serverless': { publish: [], subscribe: [] },
};

/** Makes a stream where it is missing, fills it, and looks at it. */
function manages(/** @type {string} */ stream) {
  return [
    ...['INFO', 'CREATE', 'UPDATE', 'PURGE', 'DELETE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
    `$JS.API.STREAM.MSG.GET.${stream}`,
  ];
}

/** @param {readonly string[]} streams */
function consumes(...streams) {
  return streams.flatMap((stream) => [
    ...[
      `$JS.API.CONSUMER.*.${stream}`,
      `$JS.API.CONSUMER.*.${stream}.>`,
      `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.*`,
    ],
    ...[`$JS.API.CONSUMER.MSG.NEXT.${stream}.*`, `$JS.ACK.${stream}.>`, `$JS.FC.${stream}.>`],
  ]);
}

/** What every service does: keeps the mirror of the log, follows it, asks others and answers them. */
const EVERY_SERVICE = [
  ...['davit.log.>', 'davit.poke', 'davit.rpc.>', '_INBOX.>', '$JS.API.INFO'],
  ...['LOG', 'INTENTS', 'DEADLETTERS'].flatMap(manages),
  ...consumes('LOG'),
];

/** `spec-api` → `NATS_SPEC_API_PASSWORD`. */
const variable = (/** @type {string} */ name) => `$NATS_${name.toUpperCase().replaceAll('-', '_')}_PASSWORD`;

/** @param {readonly string[]} subjects */
const list = (subjects) => `[${subjects.map((subject) => `\n            "${subject}"`).join('')}\n          ]`;

/**
 * @param {string} name
 * @param {readonly string[]} publish
 * @param {readonly string[]} subscribe
 */
const user = (name, publish, subscribe) => `      {
        user: ${name}
        password: ${variable(name)}
        permissions: {
          publish: { allow: ${list(publish)} }
          subscribe: { allow: ${list(subscribe)} }
        }
      }`;

const READER = [
  ...['$JS.API.INFO', '$JS.API.STREAM.INFO.LOG', '$JS.API.STREAM.MSG.GET.LOG', '$JS.API.CONSUMER.CREATE.LOG'],
  ...['$JS.API.CONSUMER.CREATE.LOG.>', '$JS.API.CONSUMER.INFO.LOG.*', '$JS.API.CONSUMER.MSG.NEXT.LOG.*'],
  ...['$JS.ACK.LOG.>', '$JS.FC.LOG.>', '$JS.API.STREAM.INFO.KV_routes', '$JS.API.STREAM.MSG.GET.KV_routes'],
  ...['$JS.API.DIRECT.GET.KV_routes.>', '$JS.API.CONSUMER.CREATE.KV_routes', '$JS.API.CONSUMER.CREATE.KV_routes.>'],
  '$JS.FC.KV_routes.>',
];

const exportsTo = (/** @type {string} */ tenant) => {
  const accounts = `accounts: [TENANT-${tenant}]`;
  return [
    `{ stream: "davit.tenant.${tenant}.log.>", ${accounts} }`,
    `{ service: "davit.tenant.${tenant}.intent.>", ${accounts} }`,
    `{ service: "$JS.API.CONSUMER.INFO.TENANTS.${tenant}", ${accounts} }`,
    `{ service: "$JS.API.CONSUMER.MSG.NEXT.TENANTS.${tenant}", response: stream, ${accounts} }`,
    `{ service: "$JS.ACK.TENANTS.${tenant}.>", ${accounts} }`,
  ];
};

/** Under `$JS.API` the broker answers an account that has no JetStream of its own by itself. */
const DOMAIN = 'davit';

const accountOf = (/** @type {string} */ tenant) => {
  const inbox = [
    `$JS.${DOMAIN}.API.CONSUMER.INFO.TENANTS.${tenant}`,
    `$JS.${DOMAIN}.API.CONSUMER.MSG.NEXT.TENANTS.${tenant}`,
    `$JS.ACK.TENANTS.${tenant}.>`,
  ];
  const imports = [
    `{ stream: { account: DAVIT, subject: "davit.tenant.${tenant}.log.>" }, to: "davit.log.>" }`,
    `{ service: { account: DAVIT, subject: "davit.tenant.${tenant}.intent.>" }, to: "davit.intent.>" }`,
    ...inbox.map((subject) => {
      const there = subject.replace(`$JS.${DOMAIN}.API.`, '$JS.API.');
      const to = there === subject ? '' : `, to: "${subject}"`;
      return `{ service: { account: DAVIT, subject: "${there}" }${to} }`;
    }),
  ];
  return `
  # Tenant ${tenant}: hears of its own things alone, and cannot speak for another tenant: both stand in the subjects that it imports.
  TENANT-${tenant} {
    users: [
${user(`${tenant}-publisher`, ['davit.intent.>'], ['_INBOX.>'])}
${user(`${tenant}-subscriber`, inbox, ['davit.log.>', '_INBOX.>'])}
    ]
    imports: [${imports.map((one) => `\n      ${one}`).join('')}
    ]
  }
`;
};

/**
 * Accounts and permissions of the broker. Passwords come from the environment of the server.
 * @param {readonly string[]} tenants those that have an account of their own
 * @returns {string}
 */
export function natsAccounts(tenants) {
  const services = Object.entries(SERVICES).map(([name, { publish, subscribe }]) =>
    user(name, [...EVERY_SERVICE, ...publish], ['_INBOX.>', 'davit.poke', `davit.rpc.${name}.>`, ...subscribe]),
  );
  const exports = tenants.flatMap(exportsTo);
  return `# Generated by \`npm run nats:accounts\`; add tenants with: npm run nats:accounts -- acme globex
accounts {
  DAVIT {
    jetstream: enabled
    users: [
      # The services, each with what it does. Only they write the mirror of the log; only spec-api takes intents and tells tenants.
${services.join('\n')}

      # Platform services that declare deployments of every tenant: they send intents and hear the answer.
${user('publisher', ['davit.intent.>', 'davit.rpc.>'], ['_INBOX.>'])}

      # Gateways, discovery, billing, dashboards of every tenant: they follow the log, live and from a position.
${user('reader', READER, ['davit.log.>', '_INBOX.>'])}
    ]
    exports: [${exports.map((one) => `\n      ${one}`).join('')}
    ]
  }
${tenants.map(accountOf).join('')}
  # Server events and \`nats server\` commands; without JetStream and without sight of Davit's subjects.
  SYS {
    users: [{ user: admin, password: $NATS_ADMIN_PASSWORD }]
  }
}
system_account: SYS
`;
}

/** Variables that the accounts take passwords from. */
export const passwordsIn = (/** @type {string} */ accounts) =>
  [...new Set([...accounts.matchAll(/password: \$(\w+)/g)].map(([, name = '']) => name))].sort();
