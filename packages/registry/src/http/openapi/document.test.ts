import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminFixture, type AdminFixture } from '../test-support/admin-fixture.js';
import type { OpenApiDocument, OperationObject } from './document-types.js';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Everything in the document that points somewhere. */
const refs = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : refs(member),
  );
};

const patterns = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'pattern' && typeof member === 'string' ? [member] : patterns(member),
  );
};

describe('the OpenAPI document', () => {
  let fixture: AdminFixture;
  let document: OpenApiDocument;
  let operations: { path: string; method: string; operation: OperationObject }[];

  beforeAll(async () => {
    fixture = await openAdminFixture();
    document = (await (await fixture.app.request('/openapi.json')).json()) as OpenApiDocument;
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  });

  afterAll(() => fixture.close());

  it('is version 3.1 and says what it describes', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/u);
    expect(document.info).toMatchObject({ title: expect.any(String), version: '9.9.9' });
  });

  it('holds exactly the routes that are mounted', () => {
    const mounted = fixture.app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/gu, '{$1}')}`);
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual(mounted.sort());
    expect(described.length).toBeGreaterThan(20);
  });

  it('has the members that the specification wants of an operation', () => {
    const faulty = operations.filter(
      ({ method, operation }) =>
        !METHODS.has(method) ||
        !/^[a-z][A-Za-z]+$/u.test(operation.operationId) ||
        operation.summary === '' ||
        Object.values(operation.responses).some(({ description }) => description === ''),
    );
    expect(faulty).toEqual([]);
    expect(new Set(operations.flatMap(({ operation }) => operation.tags))).toEqual(
      new Set(document.tags.map(({ name }) => name)),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes each parameter of a path, and no other', () => {
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      const wanted = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name)).toEqual(wanted);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it('has success and failure for every operation, the failure in the one envelope', () => {
    for (const { path, method, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      expect(
        statuses.some((status) => /^2\d\d$/u.test(status)),
        `${method} ${path}`,
      ).toBe(true);
      const failures = statuses.filter((status) => /^[45]\d\d$/u.test(status));
      expect(failures.length, `${method} ${path}`).toBeGreaterThan(0);
      for (const status of failures) {
        expect(operation.responses[status]?.content?.['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/ErrorEnvelope',
        });
      }
    }
  });

  it('names every way in which a server can fail a call', () => {
    const run = operations.find(({ operation }) => operation.operationId === 'runServerTool')?.operation;
    expect(run?.responses['502']?.description).toContain('`UPSTREAM_REFUSED`');
    expect(run?.responses['503']?.description).toContain('`CIRCUIT_OPEN`');
    expect(run?.responses['504']?.description).toContain('`UPSTREAM_TIMEOUT`');
  });

  it('points only at schemas that are there, and holds none in vain', () => {
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    const used = new Set(refs(document));
    expect([...used].sort()).toEqual(known.sort());
  });

  it('names no schema that is only a pointer to itself', () => {
    const hollow = Object.entries(document.components.schemas).filter(([, schema]) => '$ref' in schema);
    expect(hollow).toEqual([]);
  });

  it('holds only patterns that match what they should', () => {
    const all = patterns(document);
    expect(all.length).toBeGreaterThan(5);
    for (const pattern of all) expect(() => new RegExp(pattern, 'u')).not.toThrow();
    const id = document.components.schemas['Server'];
    expect(JSON.stringify(id)).toContain('^mcp_server-[0-9a-f]{8}-');
  });

  it('closes what is taken and leaves open what is given', () => {
    expect(document.components.schemas['ServerCreate']).toMatchObject({ additionalProperties: false });
    expect(document.components.schemas['SyncReport']).not.toHaveProperty('additionalProperties');
  });

  it('gives an example of every body', () => {
    for (const { path, method, operation } of operations) {
      const content = operation.requestBody?.content['application/json'];
      expect(content === undefined || content.example !== undefined, `${method} ${path}`).toBe(true);
    }
  });
});
