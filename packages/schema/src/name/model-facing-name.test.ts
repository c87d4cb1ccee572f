import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelFacingName } from './model-facing-name.js';

describe('modelFacingName', () => {
  it.each([
    [{ server: 'github', tool: 'create_issue' }, 'github__create_issue'],
    [{ tool: 'create_issue' }, 'create_issue'],
    [{ tool: '  my   tool\tname ' }, 'my_tool_name'],
    [{ tool: 'files.read/all:now' }, 'files_read_all_now'],
    [{ tool: 'délete!@#(x)' }, 'dletex'],
    [{ server: 'My Server', tool: 'a-b' }, 'My_Server__a-b'],
  ])('%j becomes %s', (parts, name) => {
    expect(modelFacingName(parts)).toBe(name);
  });

  it('cuts what is too long and keeps it apart by a hash', () => {
    const long = 'x'.repeat(70);
    const name = modelFacingName({ tool: `${long}a` });
    expect(name).toMatch(/^x{55}_[0-9a-f]{8}$/u);
    expect(modelFacingName({ tool: `${long}b` })).not.toBe(name);
    expect(modelFacingName({ tool: 'y'.repeat(64) })).toBe('y'.repeat(64));
  });

  it('never becomes empty', () => {
    expect(modelFacingName({ tool: '工具' })).toMatch(/^tool_[0-9a-f]{8}$/u);
    expect(modelFacingName({ tool: '工具' })).not.toBe(modelFacingName({ tool: '命令' }));
    expect(modelFacingName({ server: '!', tool: 'a' })).toMatch(/^tool_[0-9a-f]{8}__a$/u);
  });

  it('is always a legal name', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
        fc.string({ unit: 'binary', maxLength: 100 }),
        (server, tool) => {
          expect(modelFacingName({ server, tool })).toMatch(/^[a-zA-Z0-9_-]{1,64}$/u);
        },
      ),
    );
  });
});
