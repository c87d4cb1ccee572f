import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { takeOutput, takeOutputReads } from './taken-output.js';
import { testEnvironment } from './test-support/processes.js';

const start = (script: string) => {
  const child = spawn(process.execPath, ['-e', script], { env: testEnvironment, stdio: ['pipe', 'pipe', 'pipe'] });
  const own = child.stdout;
  const exited = once(child, 'exit');
  return { child, own, exited, stdout: takeOutput(child) };
};

describe('the output of a program', () => {
  it('comes whole and in its order, through memory that is used again', async () => {
    const script = `
      const numbers = Array.from({ length: 400_000 }, (_, index) => String(index));
      process.stdout.write(numbers.join(' '));`;
    const { stdout, own, exited } = start(script);
    expect(stdout).not.toBe(own);
    const expected = Array.from({ length: 400_000 }, (_, index) => String(index)).join(' ');
    expect((await buffer(stdout)).toString() === expected).toBe(true);
    expect(await exited).toEqual([0, null]);
  });

  it('goes to the one who takes its reads, who can stop it, and ends for all', async () => {
    const { stdout, exited } = start(`process.stdout.write('0123456789'.repeat(200_000))`);
    let text = '';
    const streamed: unknown[] = [];
    stdout.on('data', (chunk: unknown) => streamed.push(chunk));
    takeOutputReads(stdout, (read) => {
      expect(stdout.isPaused()).toBe(false);
      text += Buffer.from(read).toString();
      stdout.pause();
      setImmediate(() => stdout.resume());
    });
    await once(stdout, 'close');
    expect(text === '0123456789'.repeat(200_000)).toBe(true);
    expect(streamed).toEqual([]);
    expect(await exited).toEqual([0, null]);
  });

  it('waits for its reader', async () => {
    const { stdout, exited, child } = start(`process.stdout.write('x'.repeat(50_000_000))`);
    await once(stdout, 'readable');
    // What the system keeps for a pipe, and what one reader may have waiting, is far less.
    expect(stdout.readableLength).toBeLessThan(1_000_000);
    child.kill('SIGKILL');
    stdout.destroy();
    await Promise.all([exited, once(child, 'close')]);
  });

  it('keeps reading what two programs write at the same time apart', async () => {
    const all = ['a', 'b'].map((letter) => start(`process.stdout.write('${letter}'.repeat(3_000_000))`));
    const texts = await Promise.all(all.map(async ({ stdout }) => (await buffer(stdout)).toString()));
    expect(texts.map((text) => /^(.)\1{2999999}$/u.exec(text)?.[1])).toEqual(['a', 'b']);
  });
});
