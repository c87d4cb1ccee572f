import { toErrorEnvelope, toPlugboardError } from '@plugboard/contract';
import type { Gateway } from '@plugboard/gateway';
import { pathSegments } from '../http/path-segments.js';

export interface FetchHandlerOptions {
  readonly gateway: Gateway;
  readonly admin: (request: Request) => Response | Promise<Response>;
}

/** The same paths as over a socket, for callers in this process. */
export const fetchHandler =
  ({ gateway, admin }: FetchHandlerOptions) =>
  async (request: Request): Promise<Response> => {
    try {
      const segments = pathSegments(new URL(request.url).pathname);
      if (!gateway.serves(segments)) return await admin(request);
      const { method, signal } = request;
      const answer = await gateway.answer({ method, segments, body: await request.text(), signal });
      return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers: answer.headers });
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      return Response.json(toErrorEnvelope(error), { status: error.httpStatus });
    }
  };
