import { auditEntry, auditQuery } from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { announceNext } from '../paging.js';
import { auditLines } from '../stream/audit-lines.js';

const DEFAULT_PAGE = 100;

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listAudit',
      method: 'get',
      path: '/v1/audit',
      tag: 'watch',
      summary: 'List the audit trail',
      description: `Changes through this API and calls of tools, the newest first; ${DEFAULT_PAGE} of them when \`limit\` is left out. Values of arguments are not kept.`,
      query: auditQuery,
      answers: {
        200: {
          description: 'The entries.',
          schema: z.array(auditEntry),
          headers: { Link: 'The next page, when there is one.', 'X-Next-After': 'What `after` is on the next page.' },
        },
      },
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const limit = query.limit ?? DEFAULT_PAGE;
      // One more than asked for tells whether there is a next page.
      const found = await registry.audit.read({ ...query, limit: limit + 1 });
      const page = { entries: found.slice(0, limit), hasMore: found.length > limit };
      announceNext(c, page);
      return c.json(page.entries);
    },
  );

const exportAll = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'exportAudit',
      method: 'get',
      path: '/v1/audit/export',
      tag: 'watch',
      summary: 'Export the audit trail',
      description: 'Every entry as one line of JSON, the newest first.',
      query: auditQuery.pick({ kind: true, since: true }),
      answers: {
        200: { description: 'JSON lines.', schema: auditEntry, mediaType: 'application/x-ndjson' },
      },
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }) => {
      // What was recorded a moment ago is written first, so that a failing store is an error and not a short file.
      await registry.audit.read({ limit: 1 });
      return new Response(
        auditLines((page) => registry.audit.read(page), query),
        { headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' } },
      );
    },
  );

export const auditRoutes = (admin: AdminContext): readonly Endpoint[] => [list, exportAll].map((route) => route(admin));
