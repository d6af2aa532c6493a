import { describe, expect, it } from '@jest/globals';
import { brokerAddresses } from './addresses.js';

describe('brokerAddresses', () => {
  it('takes user and password out of the address, with escapes read', () => {
    expect(brokerAddresses('nats://services:p%40ss:w@one:4222')).toEqual({
      servers: ['nats://one:4222'],
      credentials: { user: 'services', pass: 'p@ss:w' },
      shown: 'nats://one:4222',
    });
  });

  it('reads a lone word before the host as a token', () => {
    expect(brokerAddresses('tls://t0ken@one:4222').credentials).toEqual({ token: 't0ken' });
  });

  it('uses the credentials of the first of several addresses that has any, and shows none', () => {
    expect(brokerAddresses('nats://one:4222, nats://a:b@two:4222')).toEqual({
      servers: ['nats://one:4222', 'nats://two:4222'],
      credentials: { user: 'a', pass: 'b' },
      shown: 'nats://one:4222,nats://two:4222',
    });
  });

  it('leaves an address without credentials as it is', () => {
    expect(brokerAddresses('wss://one/path')).toEqual({
      servers: ['wss://one/path'],
      credentials: undefined,
      shown: 'wss://one/path',
    });
  });
});
