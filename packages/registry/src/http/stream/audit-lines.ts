import type { AuditEntry, AuditQuery } from '@plugboard/contract';

const PAGE = 500;
const encoder = new TextEncoder();

/** Entries as JSON lines, the newest first, read page by page as fast as the reader takes them. */
export const auditLines = (
  read: (query: AuditQuery) => Promise<readonly AuditEntry[]>,
  filter: Pick<AuditQuery, 'kind' | 'since'>,
): ReadableStream<Uint8Array> => {
  let after: string | undefined;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const page = await read({ ...filter, limit: PAGE, ...(after === undefined ? {} : { after }) });
      if (page.length > 0) {
        controller.enqueue(encoder.encode(page.map((entry) => `${JSON.stringify(entry)}\n`).join('')));
      }
      after = page.at(-1)?.id;
      if (page.length < PAGE) controller.close();
    },
  });
};
