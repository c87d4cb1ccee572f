import { isObject, type JsonObject } from '../json-rpc/message.js';
import { parseObject } from './mutation/filter.js';
import { isModern, refused, withHeaders, type Http } from './http-defect.js';
import { changeResult, defineMutant, type Mutant } from './mutant.js';

/** Takes the defect for granted that a header says what it should. */
const repaired =
  (name: string, value: (message: JsonObject) => unknown): NonNullable<Http['request']> =>
  (asked) => {
    const message = parseObject(asked.body);
    const right = message === undefined ? undefined : value(message);
    return isModern(asked) && typeof right === 'string' ? withHeaders(asked, { [name]: right }) : asked;
  };

const nameIn = ({ params, method }: JsonObject): unknown => {
  if (!isObject(params)) return undefined;
  return method === 'resources/read'
    ? params['uri']
    : /^(?:tools\/call|prompts\/get)$/u.test(String(method))
      ? params['name']
      : undefined;
};

export const mirroredHeaderMutants: readonly Mutant[] = [
  defineMutant({
    name: 'method-header-is-optional',
    kills: 'HTP-31',
    defect: 'A request without Mcp-Method is served.',
    mutation: {
      http: {
        request: (asked) =>
          asked.headers['mcp-method'] === undefined ? repaired('mcp-method', ({ method }) => method)(asked) : asked,
      },
    },
  }),
  defineMutant({
    name: 'method-header-is-not-compared',
    kills: 'HTP-32',
    defect: 'Mcp-Method may name another method than the body.',
    mutation: {
      http: {
        request: (asked) =>
          asked.headers['mcp-method'] === 'tools/call' ? repaired('mcp-method', ({ method }) => method)(asked) : asked,
      },
    },
  }),
  defineMutant({
    name: 'name-header-is-optional',
    kills: 'HTP-33',
    defect: 'A request without Mcp-Name is served.',
    mutation: {
      http: {
        request: (asked) => (asked.headers['mcp-name'] === undefined ? repaired('mcp-name', nameIn)(asked) : asked),
      },
    },
  }),
  defineMutant({
    name: 'version-header-is-not-compared',
    kills: 'HTP-34',
    defect: 'When header and body name different versions the body is believed.',
    mutation: {
      http: {
        answer: (asked) =>
          isModern(asked) && asked.body.includes('protocolVersion":"2025-11-25"')
            ? refused(asked, 400, -32_022)
            : undefined,
      },
    },
  }),
  defineMutant({
    name: 'method-header-in-any-case',
    kills: 'HTP-35',
    defect: 'Mcp-Method is compared without regard to case.',
    mutation: {
      http: {
        request: (asked) =>
          /^[A-Z/]+$/u.test(asked.headers['mcp-method'] ?? '')
            ? withHeaders(asked, { 'mcp-method': asked.headers['mcp-method']?.toLowerCase() })
            : asked,
      },
    },
  }),
  defineMutant({
    name: 'encoded-name-is-not-decoded',
    kills: 'HTP-36',
    defect: 'A name in base64 is compared as it is.',
    mutation: {
      http: {
        answer: (asked) =>
          asked.headers['mcp-name']?.startsWith('=?base64?') === true ? refused(asked, 400, -32_020) : undefined,
      },
    },
  }),
  defineMutant({
    name: 'parameter-header-is-optional',
    kills: 'HTP-37',
    defect: 'A call without a header that its schema asks for is served.',
    mutation: {
      http: {
        request: (asked) => {
          const message = parseObject(asked.body);
          const params = isObject(message?.['params']) ? message['params'] : {};
          const args = isObject(params['arguments']) ? params['arguments'] : {};
          const region = args['region'];
          return params['name'] === 'locate' && typeof region === 'string' && !('mcp-param-region' in asked.headers)
            ? withHeaders(asked, { 'mcp-param-region': region })
            : asked;
        },
      },
    },
  }),
  defineMutant({
    name: 'parameter-header-must-be-known',
    kills: 'HTP-38',
    defect: 'A header for an unknown parameter is refused.',
    mutation: {
      http: {
        answer: (asked) => ('mcp-param-plugboard-unknown' in asked.headers ? refused(asked, 400, -32_020) : undefined),
      },
    },
  }),
  defineMutant({
    name: 'parameter-header-on-a-number',
    kills: 'HTP-39',
    alsoKills: ['HTP-37'],
    defect: 'A parameter of the type number is to be mirrored into a header.',
    mutation: {
      toClient: changeResult('tools/list', (result) => ({
        ...result,
        tools: (Array.isArray(result['tools']) ? result['tools'] : []).map((tool: unknown) => {
          if (!isObject(tool) || tool['name'] !== 'add' || !isObject(tool['inputSchema'])) return tool;
          const properties = isObject(tool['inputSchema']['properties']) ? tool['inputSchema']['properties'] : {};
          const a = { ...(isObject(properties['a']) ? properties['a'] : {}), 'x-mcp-header': 'A' };
          return { ...tool, inputSchema: { ...tool['inputSchema'], properties: { ...properties, a } } };
        }),
      })),
    },
  }),
  defineMutant({
    name: 'modern-answer-opens-a-session',
    kills: 'HTP-40',
    defect: 'Answers of the modern era carry a session id.',
    mutation: {
      http: {
        response: (answered, asked) =>
          isModern(asked) ? { ...answered, headers: { ...answered.headers, 'mcp-session-id': 'session-1' } } : answered,
      },
    },
  }),
  defineMutant({
    name: 'chunks-are-refused',
    kills: 'HTP-43',
    defect: 'A body without a length is refused.',
    mutation: {
      http: {
        answer: (asked) =>
          asked.headers['transfer-encoding'] === 'chunked' ? refused(asked, 411, -32_600) : undefined,
      },
    },
  }),
];
