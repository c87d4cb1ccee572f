import { grantOf, type Grant, type Server, type Toolset } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../call/caller.js';
import { entriesFor, requireServerFor } from '../catalogue/catalogue-lookup.js';
import { catalogueOf, sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { Scopes } from './scopes.js';

const files = sampleServer('files', 1);
const mail = sampleServer('mail', 2);
const read = sampleTool(files, 'read');
const send = sampleTool(mail, 'send_it');
const hidden = sampleTool(mail, 'hidden_one', { enabled: false });
const snapshot = catalogueOf([
  { server: files, tools: [read] },
  { server: mail, tools: [send, hidden] },
]).snapshot();
const catalogue = { ...catalogueOf([]), snapshot: () => snapshot };

const callerOn = (...servers: readonly Server[]): Caller => {
  const grant = grantOf({ id: 'k', role: 'agent', servers: servers.map(({ id }) => id) }, undefined, []);
  return { principal: 'k', grant: () => grant };
};

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (thrown) {
    return (thrown as { code?: unknown }).code;
  }
};

describe('an endpoint for a caller', () => {
  const scopes = new Scopes(catalogue, () => undefined);

  it('is the whole of it without rights to narrow it', () => {
    expect(scopes.for(scopes.all, { principal: 'local' })).toBe(scopes.all);
    const everything: Caller = { principal: 'k', grant: () => undefined };
    expect(scopes.for(scopes.all, everything).tools()).toBe(scopes.all.tools());
    expect(scopes.for(scopes.all, everything).findTool('files__read').name).toBe('files__read');
  });

  it('has only what the caller may use; the rest does not exist', () => {
    const caller = callerOn(files);
    const scope = scopes.for(scopes.all, caller);
    expect(scope.servers()).toEqual([files]);
    expect(scope.tools().map(({ name }) => name)).toEqual(['files__read']);
    expect(scope.findTool('files__read').name).toBe('files__read');
    for (const name of ['mail__send_it', 'mail__hidden_one', 'mail__nothing']) {
      expect(codeOf(() => scope.findTool(name))).toBe('TOOL_NOT_FOUND');
    }
    expect(codeOf(() => scopes.server('mail', caller))).toBe('SERVER_NOT_FOUND');
    expect(codeOf(() => scopes.server('nobody', caller))).toBe('SERVER_NOT_FOUND');
    expect(scopes.server('files', caller).id).toBe('server files');
  });

  it('keeps its lists as long as nothing changes, and follows the rights at once', () => {
    let grant: Grant | undefined = callerOn(files).grant?.();
    const caller: Caller = { principal: 'k', grant: () => grant };
    const scope = scopes.for(scopes.all, caller);
    expect(scopes.for(scopes.all, caller)).toBe(scope);
    expect(scope.tools()).toBe(scope.tools());
    grant = callerOn(mail).grant?.();
    expect(scope.tools().map(({ name }) => name)).toEqual(['mail__send_it']);
  });

  it('is a toolset only for those it was given to', () => {
    const toolset = { id: 'toolset-1', name: 'papers' } as unknown as Toolset;
    const withToolset = { ...catalogue, snapshot: () => ({ ...catalogue.snapshot(), toolsets: [toolset] }) };
    const found = new Scopes(withToolset, () => scopes.all);
    const nothing: Grant = {
      allowsServer: () => false,
      allowsTool: () => false,
      allowsInToolset: () => false,
      allowsToolset: () => false,
    };
    expect(codeOf(() => found.toolset('papers', { principal: 'k', grant: () => nothing }))).toBe('NOT_FOUND');
    const given: Grant = { ...nothing, allowsToolset: () => true };
    expect(found.toolset('papers', { principal: 'k', grant: () => given })).toBe(scopes.all);
    expect(codeOf(() => found.toolset('others', { principal: 'k', grant: () => given }))).toBe('NOT_FOUND');
    expect(found.toolset('papers')).toBe(scopes.all);
  });
});

describe('plain REST for a caller', () => {
  it('lists what it may use', () => {
    expect(entriesFor(catalogue, callerOn(mail)).map(({ server }) => server.server_name)).toEqual(['mail']);
    expect(entriesFor(catalogue, { principal: 'local' })).toHaveLength(2);
    expect(requireServerFor(catalogue, 'mail', callerOn(mail)).tools).toEqual([send, hidden]);
    expect(codeOf(() => requireServerFor(catalogue, 'files', callerOn(mail)))).toBe('SERVER_NOT_FOUND');
  });
});
