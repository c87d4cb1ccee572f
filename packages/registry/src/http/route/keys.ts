import {
  apiKey,
  apiKeyCreate,
  apiKeyCreated,
  keyPurge,
  masterKeyRotation,
  pageQuery,
  PlugboardError,
} from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { announceNext, pageOf } from '../paging.js';

const create = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'createKey',
      method: 'post',
      path: '/v1/keys',
      tag: 'access',
      summary: 'Make a key to the hub',
      description:
        'The key itself is in this answer and never shown again. Once there is a key, every request needs one.',
      body: apiKeyCreate,
      bodyExample: { name: 'laptop', role: 'operator', expires_at: '2027-01-01T00:00:00Z' },
      answers: { 201: { description: 'The key.', schema: apiKeyCreated } },
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
      summary: 'List keys to the hub',
      description: 'All of them, also those that expired or were revoked, or one page when `limit` is given.',
      query: pageQuery,
      answers: {
        200: {
          description: 'The keys, without the keys themselves.',
          schema: z.array(apiKey),
          headers: { Link: 'The next page, when there is one.', 'X-Next-After': 'What `after` is on the next page.' },
        },
      },
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const page = await pageOf((part) => registry.keys.list(part), query);
      announceNext(c, page);
      return c.json(page.entries);
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
      description: 'It opens nothing from now on, and stays in the list.',
      answers: { 200: { description: 'The key as it is now.', schema: apiKey } },
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
        'When none is left and the settings demand none, MCP clients on this machine need no key again. Beyond loopback a key is always demanded.',
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
      summary: 'Make a new master key',
      description:
        'Seals every secret of the store with it, while the hub serves. The old key is not needed afterwards.',
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
