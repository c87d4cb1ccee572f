import { describe, expect, it } from 'vitest';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import { everything, insert, opened, type OpenStore, sampleServer } from '../test-support/store-samples.js';

/** What becomes of the secrets of servers. */
export const describeStoreSecrets = (current: () => OpenStore): void => {
  describe('secrets', () => {
    const secretive = () =>
      sampleServer('secretive', {
        mcp_server_type: 'sse',
        server_url: 'https://example.com/sse?token=SECRET-parameter',
        auth_token: 'SECRET-token',
        custom_headers: { 'X-Key': 'SECRET-header' },
        variables: { TOKEN: 'SECRET-variable' },
      });
    const withEnv = () =>
      sampleServer('with env', {
        mcp_server_type: 'stdio',
        command: 'x',
        args: ['--token', 'SECRET-argument'],
        env: { KEY: 'SECRET-env' },
      });

    it('are nowhere in the database in clear', async () => {
      const { subject, store } = current();
      await insert(store, secretive());
      await insert(store, withEnv());
      const text = await subject.dump();
      expect(text).toContain('X-Key');
      expect(text).not.toContain('SECRET');
    });

    it('that a foreign key sealed are missing, and nothing else is', async () => {
      const { subject, store } = current();
      const foreign = secretive();
      await insert(store, foreign);
      const other = await subject.open(createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(8) }));
      try {
        await insert(other, withEnv());
        const entries = await everything(other);
        const [lost, kept] = ['secretive', 'with env'].map(
          (name) => entries.find((entry) => entry.server.server.server_name === name)?.server,
        );
        expect(kept?.unreadable).toBeUndefined();
        expect(kept && opened(kept.server).config).toMatchObject({
          args: ['--token', 'SECRET-argument'],
          env: { KEY: 'SECRET-env' },
        });
        expect(lost?.unreadable).toMatchObject({
          code: 'SECRET_UNREADABLE',
          details: {
            server: 'secretive',
            secrets: ['server_url', 'auth_token', 'custom_headers.X-Key', 'variables.TOKEN'],
          },
        });
        expect(lost?.unreadable?.message).toContain('secretive');
        expect(lost?.server.config).toEqual({
          mcp_server_type: 'sse',
          server_url: 'https://example.com/sse?token=••••eter',
        });
      } finally {
        await other.close();
      }
    });

    it('survive changes by a process that cannot read them', async () => {
      const { subject, store } = current();
      const server = secretive();
      await insert(store, server);
      const other = await subject.open(createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(8) }));
      try {
        await other.transaction((tx) => tx.updateServer(server.id, { name: 'renamed', enabled: false }));
      } finally {
        await other.close();
      }
      const [entry] = await everything(store);
      expect(entry?.server.unreadable).toBeUndefined();
      expect(entry && opened(entry.server.server)).toMatchObject({
        server_name: 'renamed',
        config: opened(server).config,
      });
    });

    it('moved from one server to another do not open', async () => {
      const { subject, store } = current();
      const [one, two] = [secretive(), { ...secretive(), server_name: 'thief' }];
      await insert(store, one);
      await insert(store, two);
      await subject.tamper(
        `update mcp_servers set secrets = (select secrets from mcp_servers where name = 'secretive') where name = 'thief'`,
      );
      const byName = new Map((await everything(store)).map(({ server }) => [server.server.server_name, server]));
      expect(byName.get('thief')?.unreadable?.code).toBe('SECRET_UNREADABLE');
      expect(byName.get('secretive')?.unreadable).toBeUndefined();
    });
  });
};
