export const acceptsStream = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/event-stream');

/** The SDK wants both types in Accept; a client that takes JSON, or says nothing, is served with JSON. */
export const readable = (request: Request): Request => {
  if (request.method !== 'POST' || acceptsStream(request)) return request;
  const accept = request.headers.get('accept') ?? '*/*';
  if (!/application\/json|application\/\*|\*\/\*/u.test(accept)) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request, { headers });
};

/** What the SDK wants to hear of a body that is parsed already; one that is none it reads, and refuses, itself. */
export const parsed = (body: unknown): { readonly parsedBody?: unknown } =>
  body === undefined ? {} : { parsedBody: body };
