import {
  apiKey,
  apiKeyCreate,
  apiKeyCreated,
  keyPurge,
  masterKeyRotation,
  pageQuery,
  PlugboardError,
} from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { answerPage, pageOf, pagedAnswer } from '../paging.js';

const create = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'createKey',
      method: 'post',
      path: '/v1/keys',
      tag: 'access',
      summary: 'Create a key for the hub',
      description:
        'The response contains the key, which is never shown again. Once a key exists, every request needs one.',
      body: apiKeyCreate,
      bodyExample: { name: 'laptop', role: 'operator', expires_at: '2027-01-01T00:00:00Z' },
      answers: { 201: { description: 'The key.', schema: apiKeyCreated } },
      tellsSecret: true,
      errors: ['NOT_FOUND'],
    },
    async ({ body }, c) => {
      c.header('Cache-Control', 'no-store');
      return c.json(await registry.keys.create(body), 201);
    },
  );

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listKeys',
      method: 'get',
      path: '/v1/keys',
      tag: 'access',
      summary: 'List the keys of the hub',
      description: 'Returns all keys, including expired and revoked ones, or one page if `limit` is given.',
      query: pageQuery,
      answers: pagedAnswer('The keys, without the keys themselves.', apiKey),
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const page = await pageOf((part) => registry.keys.list(part), query);
      return answerPage(c, page);
    },
  );

const revoke = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'revokeKey',
      method: 'delete',
      path: '/v1/keys/{key_id}',
      tag: 'access',
      summary: 'Revoke a key',
      description: 'The key stops working at once and stays in the list.',
      answers: { 200: { description: 'The changed key.', schema: apiKey } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => c.json(await registry.keys.revoke(params.key_id)),
  );

const purge = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'purgeKeys',
      method: 'delete',
      path: '/v1/keys',
      tag: 'access',
      summary: 'Delete revoked and expired keys',
      description:
        'If no keys are left and the settings require none, MCP clients on this machine need no key again. On other addresses a key is always required.',
      answers: { 200: { description: 'How many were deleted, and how many are left.', schema: keyPurge } },
      errors: [],
    },
    async (_input, c) => c.json(await registry.keys.purge()),
  );

const rotateMaster = ({ rotateMaster: rotate }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'rotateMasterKey',
      method: 'post',
      path: '/v1/keys/rotate-master',
      tag: 'access',
      summary: 'Create a new master key',
      description:
        'Encrypts every secret in the store with the new key while the hub keeps serving. The old key is not needed afterwards.',
      answers: { 200: { description: 'The number of secrets that were encrypted again.', schema: masterKeyRotation } },
      errors: ['CONFIG_INVALID'],
    },
    async (_input, c) => {
      if (rotate === undefined) throw new PlugboardError('PERMISSION_DENIED', 'This hub cannot change its master key.');
      return c.json(await rotate());
    },
  );

export const keyRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [create, list, revoke, purge, rotateMaster].map((route) => route(admin));
