import { describe, expect, it } from 'vitest';
import { adminFixture } from '../test-support/admin-fixture.js';
import { curlExample } from './curl-example.js';
import { html, prose } from './html.js';
import { schemaOutline, typeOf } from './schema-outline.js';

describe('the docs page', () => {
  it('shows every route, and every link inside it has its place', async () => {
    const { app } = await adminFixture();
    const answer = await app.request('/docs/api');
    const page = await answer.text();
    const { paths } = (await (await app.request('/openapi.json')).json()) as { paths: Record<string, object> };
    for (const methods of Object.values(paths)) {
      for (const operation of Object.values(methods) as { operationId: string; summary: string }[]) {
        expect(page).toContain(`<article id="${operation.operationId}">`);
      }
    }
    const anchors = new Set([...page.matchAll(/\bid="([^"]+)"/gu)].map(([, id]) => id));
    const targets = [...page.matchAll(/href="#([^"]+)"/gu)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(50);
    expect(targets.filter((target) => !anchors.has(target))).toEqual([]);
  });

  it('loads and runs nothing, and says so in its policy', async () => {
    const { app } = await adminFixture();
    const answer = await app.request('/docs/api/');
    const page = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/u);
    expect(page).not.toMatch(/<script|\son\w+=|src=|@import|url\(/u);
    expect([...page.matchAll(/<link[^>]*>/gu)].map(([tag]) => tag)).toEqual(['<link rel="icon" href="data:," />']);
  });
});

describe('markup', () => {
  it('escapes whatever is not markup', () => {
    expect(html`<b title="${'"'}">${'<script>'}${["'", html`<i></i>`]}${undefined}${3}</b>`.markup).toBe(
      '<b title="&quot;">&lt;script&gt;&#39;<i></i>3</b>',
    );
    expect(prose('a `<b>` c').markup).toBe('a <code>&lt;b&gt;</code> c');
  });
});

describe('an outline', () => {
  it.each([
    [{ const: 'x' }, '<code>&quot;x&quot;</code>'],
    [{ enum: ['a', 'b'] }, '<code>&quot;a&quot;</code> <i>or</i> <code>&quot;b&quot;</code>'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Tool' } }, 'array of <a href="#schema-Tool">Tool</a>'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of string'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string <i>or</i> null'],
    [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
    [{}, 'any value'],
  ])('says what %j is', (schema, text) => {
    expect(typeOf(schema).markup).toBe(text);
  });

  it('shows members, what is required, and each form of a choice', () => {
    const form = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
    const { markup } = schemaOutline({ oneOf: [form('first'), form('second')] });
    expect(markup.match(/<b>required<\/b>/gu)).toHaveLength(2);
    expect(markup.indexOf('first')).toBeLessThan(markup.indexOf('class="or"'));
    expect(markup.indexOf('second')).toBeGreaterThan(markup.indexOf('class="or"'));
  });
});

describe('an example', () => {
  it('quotes what a shell would take apart', () => {
    const operation = {
      operationId: 'x',
      summary: '',
      tags: [],
      responses: {},
      requestBody: { required: true, content: { 'application/json': { schema: {}, example: { text: "it's" } } } },
    };
    expect(curlExample('http://h', 'post', '/a/{tool_id}', operation)).toBe(
      `curl -X POST "http://h/a/$TOOL_ID" \\\n  -H "Authorization: Bearer $PLUGBOARD_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  "text": "it'\\''s"\n}'`,
    );
  });
});
