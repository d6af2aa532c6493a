/** Where the broker is and who asks, read from one address or several separated by commas. */
export interface BrokerAddresses {
  readonly servers: readonly string[];
  /** From `nats://user:password@host` or `nats://token@host`; the client library does not read them there. */
  readonly credentials: { readonly user: string; readonly pass: string } | { readonly token: string } | undefined;
  /** The addresses as they may be logged. */
  readonly shown: string;
}

/** Credentials are those of the first address that has any: servers of one cluster know the same users. */
export function brokerAddresses(text: string): BrokerAddresses {
  const parts = text.split(',').map((part) => readAddress(part.trim()));
  const servers = parts.map(({ server }) => server);
  return {
    servers,
    credentials: parts.find(({ credentials }) => credentials !== undefined)?.credentials,
    shown: servers.join(','),
  };
}

function readAddress(text: string): { server: string; credentials: BrokerAddresses['credentials'] } {
  const match = /^([a-z]+:\/\/)([^@/]*)@(.*)$/.exec(text);
  if (!match) return { server: text, credentials: undefined };
  const [, scheme = '', userinfo = '', rest = ''] = match;
  const [user = '', ...password] = userinfo.split(':');
  const credentials =
    password.length === 0
      ? { token: decodeURIComponent(user) }
      : { user: decodeURIComponent(user), pass: decodeURIComponent(password.join(':')) };
  return { server: `${scheme}${rest}`, credentials };
}
