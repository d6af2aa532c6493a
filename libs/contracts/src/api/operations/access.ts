import { z } from 'zod';
import { createKeyRequest, keyId, keySecret, keyView, revokeKeyRequest, rotateKeyRequest } from '../../access.js';
import { defineOperation } from './define.js';
import { listing } from './parameters.js';

const onKeys = { tag: 'keys', role: 'admin' } as const;
const oneKey = { ...onKeys, method: 'POST', params: z.strictObject({ id: keyId }), problems: [404, 409, 422] } as const;

export const listKeys = defineOperation({
  ...onKeys,
  id: 'listKeys',
  method: 'GET',
  path: '/v1/keys',
  summary: 'API keys, without their secrets',
  query: z.strictObject({}),
  responses: { 200: listing(keyView) },
});

export const createKey = defineOperation({
  ...onKeys,
  id: 'createKey',
  method: 'POST',
  path: '/v1/keys',
  summary: 'Makes an API key; its secret is in this answer and nowhere else',
  body: createKeyRequest,
  responses: { 201: keySecret },
  problems: [403, 422],
});

export const rotateKey = defineOperation({
  ...oneKey,
  id: 'rotateKey',
  path: '/v1/keys/{id}/rotate',
  summary: 'Gives a key another secret; the one before it works for a while longer',
  body: rotateKeyRequest,
  responses: { 200: keySecret },
});

export const revokeKey = defineOperation({
  ...oneKey,
  id: 'revokeKey',
  path: '/v1/keys/{id}/revoke',
  summary: 'Ends a key: it opens nothing any more, on any instance',
  body: revokeKeyRequest,
  responses: { 200: z.object({ key: keyView }) },
});
