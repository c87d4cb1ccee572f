import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { isLoopbackHost } from '@plugboard/base';
import type { ListenAddress } from '../command-line/read-settings.js';

const METHODS = 'GET, POST, DELETE, OPTIONS';
const EXPOSED = 'Mcp-Session-Id, Mcp-Protocol-Version';

export interface RequestGuard {
  /** The refusal of a request that a foreign page may have caused; nothing when it may pass. */
  readonly refuse: (request: Request) => Response | undefined;
  /** The answer of a preflight that was not refused. */
  readonly preflight: (request: Request) => Response;
  /** Lets an allowed page read the answer. */
  readonly share: (request: Request, response: Response) => Response;
}

/**
 * Host and Origin are checked before anything else. On loopback that makes the wildcard of the preflight harmless: a page
 * from elsewhere is refused whatever the preflight said.
 */
export const requestGuard = ({ host, allowHosts, allowOrigins }: ListenAddress): RequestGuard => {
  const local = localhostAllowedHostnames();
  const hosts = [...local, ...(isLoopbackHost(host) ? [host] : []), ...allowHosts];
  const origins = [...local, ...allowOrigins];
  const anyHost = !isLoopbackHost(host) && allowHosts.length === 0;
  return {
    refuse: (request) =>
      (anyHost ? undefined : hostHeaderValidationResponse(request, hosts)) ??
      originValidationResponse(request, origins),
    preflight: (request) =>
      new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Methods': METHODS,
          'Access-Control-Allow-Headers': request.headers.get('access-control-request-headers') ?? '*',
          'Access-Control-Max-Age': '600',
          Allow: METHODS,
        },
      }),
    share: (request, response) => {
      const origin = request.headers.get('origin');
      if (origin === null) return response;
      response.headers.set('Access-Control-Allow-Origin', origin);
      response.headers.set('Access-Control-Expose-Headers', EXPOSED);
      response.headers.append('Vary', 'Origin');
      return response;
    },
  };
};
