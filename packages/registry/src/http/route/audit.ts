import { auditEntry, auditQuery } from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { answerPage, pageOf, pagedAnswer } from '../paging.js';
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
      description: `Changes through this API and tool calls, newest first: ${DEFAULT_PAGE} entries if \`limit\` is omitted. Values of arguments are not stored.`,
      query: auditQuery,
      answers: pagedAnswer('The entries.', auditEntry),
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const limit = query.limit ?? DEFAULT_PAGE;
      const page = await pageOf((part) => registry.audit.read({ ...query, ...part }), { ...query, limit });
      return answerPage(c, page);
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
      description: 'Every entry as one line of JSON, newest first.',
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
