import { describe, expect, test } from 'vitest';
import { looseLaunch } from './launch-words.js';

describe('how a server is started', () => {
  test.each([
    ['npx', '-y', '@modelcontextprotocol/server-everything'],
    ['npx', '-y', '@modelcontextprotocol/server-everything@latest'],
    ['/usr/bin/npx', 'some-server'],
    ['npm', 'exec', '--', 'some-server'],
    ['uvx', 'mcp-server-git'],
    ['pipx', 'run', 'mcp-server-git'],
    ['docker', 'run', '-i', '--rm', '-e', 'KEY', 'mcp/git'],
    ['docker', 'run', '--name', 'x', 'mcp/git:latest'],
  ])('%s %s %s … is loose', (...command) => {
    expect(looseLaunch(command)).toMatch(/names no/u);
  });

  test.each([
    ['npx', '-y', '@modelcontextprotocol/server-everything@2026.8.31'],
    ['npx', './local-server'],
    ['npm', 'start'],
    ['uvx', 'mcp-server-git==2025.1.1'],
    ['pipx', 'run', 'mcp-server-git==1.0.0'],
    ['docker', 'run', '-i', '-e', 'KEY', 'mcp/git:1.2'],
    ['docker', 'run', 'mcp/git@sha256:0123'],
    ['docker', 'start', 'x'],
    ['node', 'server.js'],
    ['npx'],
    [],
  ])('%s %s %s … is not', (...command) => {
    expect(looseLaunch(command)).toBeUndefined();
  });
});
