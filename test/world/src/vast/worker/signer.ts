import {
  checkPrimeSync,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { randomHex, type WorldRandom } from '../../clock.js';
import { type VastOptions } from '../options.js';

const MODULUS_BITS = 1024;
const EXPONENT = 65_537n;

/** What `/route/` hands out and a worker verifies. */
export interface AuthData {
  readonly cost: number;
  readonly endpoint: string;
  readonly reqnum: number;
  readonly request_idx: number;
  readonly url: string;
}

/**
 * The engine's key: RSA PKCS#1 v1.5 with SHA-256 over JSON with four blanks of indent and sorted keys, as the vendor's
 * worker verifies it. The key follows from the random source, so that equal worlds sign equally; it guards nothing.
 */
export class RouteSigner {
  /** Signatures of this algorithm follow from the text alone, and the text is mostly one of few addresses. */
  private readonly signed = new Map<string, string>();
  private keys: { readonly secret: KeyObject; readonly shown: KeyObject } | undefined;

  constructor(
    private readonly random: WorldRandom,
    private readonly options: Pick<VastOptions, 'signedFields'>,
  ) {}

  sign(data: AuthData): string {
    const text = this.text(data);
    const known = this.signed.get(text);
    if (known !== undefined) return known;
    const signature = sign('sha256', Buffer.from(text), this.pair().secret).toString('base64');
    if (this.options.signedFields === 'url') this.signed.set(text, signature);
    return signature;
  }

  verifies(data: AuthData, signature: string): boolean {
    const text = this.text(data);
    if (this.signed.get(text) === signature) return true;
    return verify('sha256', Buffer.from(text), this.pair().shown, Buffer.from(signature, 'base64'));
  }

  /** As `/pubkey/` answers. */
  publicPem(): string {
    return this.pair().shown.export({ type: 'spki', format: 'pem' }).toString();
  }

  private text({ cost, endpoint, reqnum, request_idx, url }: AuthData): string {
    const fields = this.options.signedFields === 'all' ? { cost, endpoint, reqnum, request_idx, url } : { url };
    return JSON.stringify(fields, null, 4);
  }

  private pair(): { readonly secret: KeyObject; readonly shown: KeyObject } {
    if (!this.keys) {
      const secret = newKey(this.random);
      this.keys = { secret, shown: createPublicKey(secret) };
    }
    return this.keys;
  }
}

function newKey(random: WorldRandom): KeyObject {
  const p = newPrime(random);
  const q = newPrime(random);
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const key: JsonWebKey = { kty: 'RSA' };
  for (const [name, value] of Object.entries(numbers)) key[name] = base64url(value);
  return createPrivateKey({ key, format: 'jwk' });
}

/** With its two highest bits set, so that the product of two has the full length. */
function newPrime(random: WorldRandom): bigint {
  const bits = MODULUS_BITS / 2;
  const base = BigInt(`0x${randomHex(random, bits / 4)}`) | (3n << BigInt(bits - 2)) | 1n;
  for (let candidate = base; ; candidate += 2n)
    if (candidate % EXPONENT !== 1n && checkPrimeSync(candidate)) return candidate;
}

/** The multiplicative inverse of `value` modulo `modulus`. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [remainder, next] = [modulus, value % modulus];
  let [coefficient, nextCoefficient] = [0n, 1n];
  while (next !== 0n) {
    const quotient = remainder / next;
    [remainder, next] = [next, remainder - quotient * next];
    [coefficient, nextCoefficient] = [nextCoefficient, coefficient - quotient * nextCoefficient];
  }
  return ((coefficient % modulus) + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
