import { z } from 'zod';
import { docsPage } from '../docs-page/page.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import type { OpenApiDocument } from '../openapi/document-types.js';

/** The page needs nothing but its own style, and may load and run nothing else. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The API describing itself. The document is asked for when it is wanted: it describes these routes too. */
export const documentationRoutes = (document: () => OpenApiDocument): readonly Endpoint[] => {
  let page: string | undefined;
  return [
    endpoint(
      {
        id: 'openApiDocument',
        method: 'get',
        path: '/openapi.json',
        tag: 'hub',
        summary: 'This API as OpenAPI 3.1',
        answers: { 200: { description: 'The document.', schema: z.looseObject({ openapi: z.string() }) } },
        errors: [],
      },
      (_input, c) => c.json(document()),
    ),
    endpoint(
      {
        id: 'docsPage',
        method: 'get',
        path: '/docs/api',
        tag: 'hub',
        summary: 'This API as a page to read',
        openQuery: true,
        answers: { 200: { description: 'The page.', schema: z.string(), mediaType: 'text/html' } },
        errors: [],
      },
      (_input, c) => {
        page ??= docsPage(document());
        c.header('Content-Security-Policy', PAGE_POLICY);
        return c.html(page);
      },
    ),
  ];
};
