import type { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type JWK, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: webcrypto.CryptoKey;
  readonly jwk: JWK;
}

export interface TokenOptions {
  readonly issuer?: string;
  readonly audience?: string;
  /** Seconds from now; negative for one that has expired. */
  readonly expiresIn?: number;
  /** Signs with a key that is not the issuer's, under the id of one that is. */
  readonly forged?: boolean;
}

/** An OpenID Connect issuer over HTTP, as far as services that only check its tokens see one. */
export class OidcIssuer {
  private keys: SigningKey[] = [];
  private serial = 0;
  /** How often its keys were asked for. */
  asked = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<OidcIssuer> {
    const server = createServer();
    server.listen({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
    const issuer = new OidcIssuer(server, `http://127.0.0.1:${address.port}`);
    server.on('request', (request, response) => {
      const body = issuer.answer(request.url ?? '');
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(body));
    });
    await issuer.rotate();
    return issuer;
  }

  /** Signs with a new key from now on, and shows that one alone. */
  async rotate(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    this.serial += 1;
    const kid = `key-${this.serial}`;
    this.keys = [{ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }];
  }

  async token(claims: JWTPayload, options: TokenOptions = {}): Promise<string> {
    const { issuer = this.url, audience = 'davit', expiresIn = 60, forged = false } = options;
    const [key] = this.keys;
    if (!key) throw new Error('the issuer has no key');
    const signing = forged ? (await generateKeyPair('ES256')).privateKey : key.privateKey;
    const nowSeconds = Math.floor(Date.now() / 1_000);
    return new SignJWT({ sub: 'u-1', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + expiresIn)
      .sign(signing);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(path: string): unknown {
    if (path === '/.well-known/openid-configuration') return { issuer: this.url, jwks_uri: `${this.url}/keys` };
    if (path !== '/keys') return undefined;
    this.asked += 1;
    return { keys: this.keys.map(({ jwk }) => jwk) };
  }
}
