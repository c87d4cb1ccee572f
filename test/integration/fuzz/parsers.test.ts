import { scanAnswer, scanRequest } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { discoverAuthorization } from '../../../packages/client/src/oauth/discover-authorization.js';
import { OAuthFailure } from '../../../packages/client/src/oauth/oauth-failure.js';
import { uriMatches } from '../../../packages/gateway/src/pipeline/route/owner/uri-template.js';
import { printableLine, terminalSafe } from '../../../packages/plugboard/src/terminal/printable.js';
import { examineTools } from '../../../packages/registry/src/sync/examine-tools.js';
import { mutated, randomOf, repeatedly, SEED } from './mutate.js';

const TIME = { times: 20_000, ms: 4000 };

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('whatever a stranger sends', () => {
  it('the JSON scanner finds nothing in what is no JSON', async () => {
    const random = randomOf(SEED);
    const call =
      '{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"a","arguments":{"b":[1,true,null]},"_meta":{"x":"\\u00e9"}}}';
    const answer = '{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":"a\\"b"}],"isError":false}}';
    const found = { calls: 0, answers: 0 };
    await repeatedly(TIME, (index) => {
      const text = mutated(index % 2 === 0 ? call : answer, random);
      const bytes = Buffer.from(text);
      const spans = index % 2 === 0 ? scanRequest(bytes, 64) : scanAnswer(bytes, 64);
      if (spans === undefined) return;
      found[index % 2 === 0 ? 'calls' : 'answers'] += 1;
      expect({ text, parses: parses(text) }).toEqual({ text, parses: true });
    });
    expect(found.calls + found.answers).toBeGreaterThan(0);
  });

  it('URI templates are compared in the end', async () => {
    const random = randomOf(SEED + 1);
    await repeatedly(TIME, () => {
      const template = mutated('x://{host}/{+path}{/segments*}{?query,page}{#part}'.repeat(1 + random(20)), random, [
        '{',
        '}',
        '{+a}',
        '{/b}',
      ]);
      const uri = mutated('x://host/a/b/c?query=1&page=2#part'.repeat(1 + random(50)), random, ['/', '?', '#', 'x']);
      expect(typeof uriMatches(template, uri)).toBe('boolean');
    });
  });

  it('metadata of an authorization server is taken or refused', async () => {
    const random = randomOf(SEED + 2);
    const server = 'https://tools.example/mcp';
    const issuer = 'https://login.example';
    const pages = {
      resource: JSON.stringify({ resource: server, authorization_servers: [issuer], scopes_supported: ['a'] }),
      issuer: JSON.stringify({
        issuer,
        token_endpoint: `${issuer}/token`,
        authorization_endpoint: `${issuer}/authorize`,
        code_challenge_methods_supported: ['S256'],
      }),
    };
    const challenge =
      'Bearer realm="a", resource_metadata="https://tools.example/.well-known/oauth-protected-resource", scope="x y"';
    const outcomes = { taken: 0, refused: 0 };
    await repeatedly({ times: 5000, ms: 5000 }, async () => {
      const http = {
        now: () => 0,
        fetch: async (url: string) =>
          new Response(mutated(url.includes('protected-resource') ? pages.resource : pages.issuer, random)),
      };
      const asked = { serverUrl: server, challenge: random(2) === 0 ? mutated(challenge, random) : challenge };
      try {
        await discoverAuthorization(http, asked, AbortSignal.timeout(10_000));
        outcomes.taken += 1;
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(OAuthFailure);
        outcomes.refused += 1;
      }
    });
    expect(outcomes.refused).toBeGreaterThan(0);
  });

  it('every tool definition is kept or named', async () => {
    const random = randomOf(SEED + 3);
    const definition = JSON.stringify({
      name: 'tool',
      description: 'Does something.',
      inputSchema: {
        type: 'object',
        properties: {
          a: { type: 'string', pattern: '^a+$' },
          b: { $ref: '#/$defs/b' },
          c: { anyOf: [{ type: 'null' }] },
        },
        required: ['a'],
        $defs: { b: { type: 'array', items: { $ref: '#/$defs/b' } } },
      },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
    const odd = [
      '"type"',
      '"object"',
      'null',
      '[]',
      '{}',
      '"$ref":"#"',
      '1e999',
      '"__proto__":{}',
      '"(a+)+$"',
      ',',
      '"',
    ];
    await repeatedly({ times: 3000, ms: 6000 }, async () => {
      const text = mutated(definition, random, odd);
      if (!parses(text)) return;
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const { tools, failed } = await examineTools([value as never]);
      expect(tools.length + failed.length).toBe(1);
    });
  });

  it('nothing that acts on a terminal is printed', async () => {
    const random = randomOf(SEED + 4);
    const odd = [
      '\u001b[31m',
      '\u001b]0;x\u0007',
      '\u009b1A',
      '\u202e',
      '\u2066',
      '\r',
      '\u0008',
      '\u{e0041}',
      '\n',
      'a',
    ];
    const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;
    await repeatedly(TIME, () => {
      const text = mutated('A tool that \u001b[1mdoes\u001b[0m things.\nAnd more.', random, odd);
      expect(printableLine(text)).not.toMatch(acting);
      // Styles of our own are the only sequences that may pass.
      expect(terminalSafe(text).replaceAll(/\u001b\[[0-9;]*m/gu, '')).not.toMatch(acting);
    });
  });
});
