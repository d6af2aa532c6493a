/** Why events cannot be sent to an address, and what would do; undefined where they can. */
export type TargetObjection = { readonly message: string; readonly remedy: string };

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Where clouds hand credentials to whoever asks from within. */
const INNER = /^(169\.254\.|\[fe80:|metadata\.|0\.0\.0\.0$|\[::\]$)/;

/**
 * Events go over TLS, to a host by name, and nowhere that gives out credentials. Plain HTTP is for the same machine and for hosts
 * that the operator named.
 */
export function targetObjection(address: string, plainHosts: readonly string[]): TargetObjection | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { message: 'is not an address of HTTP', remedy: 'Write for example https://hooks.example.org/davit.' };
  }
  if (url.username !== '' || url.password !== '') {
    const remedy = 'Take name and password out: the address is stored, and the signature tells who sent the event.';
    return { message: 'holds credentials', remedy };
  }
  if (url.hash !== '')
    return { message: 'has a fragment, which is never sent', remedy: 'Take out what follows the #.' };
  if (INNER.test(url.hostname)) {
    return {
      message: `${url.hostname} is an address that nothing is sent to`,
      remedy: 'Write the name of the receiver.',
    };
  }
  if (url.protocol === 'https:' || LOOPBACK.has(url.hostname) || plainHosts.includes(url.hostname)) return undefined;
  return {
    message: 'is not encrypted',
    remedy: `Write https://, or let the operator add ${url.hostname} to DAVIT_WEBHOOK_HTTP_HOSTS.`,
  };
}
