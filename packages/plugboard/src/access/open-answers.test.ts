import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { OpenAnswers } from './open-answers.js';

const answerWith = (authorization?: string, url = '/servers/notes/mcp') => {
  const answer = { req: { url, headers: { authorization } }, destroy: vi.fn() };
  return { answer: answer as unknown as ServerResponse, destroyed: () => answer.destroy.mock.calls.length > 0 };
};

const accessThatOpens = (opens: (authorization: string | undefined) => boolean) => ({
  isProven: vi.fn(({ headers }: ServerResponse['req']) => headers.authorization !== undefined),
  stillOpens: vi.fn(({ headers }: ServerResponse['req']) => Promise.resolve(opens(headers.authorization))),
});

describe('OpenAnswers', () => {
  it('asks once for all answers with the same credentials and reads those of an answer once', async () => {
    const access = accessThatOpens(() => true);
    const answers = new OpenAnswers(access);
    const [first, second, other] = [answerWith('Bearer a'), answerWith('Bearer a'), answerWith('Bearer b')];
    const open = [first.answer, second.answer, other.answer];
    await answers.endUnproven(open);
    await answers.endUnproven(open);
    expect(access.stillOpens).toHaveBeenCalledTimes(4);
    expect(access.isProven).toHaveBeenCalledTimes(3);
    expect([first, second, other].map(({ destroyed }) => destroyed())).toEqual([false, false, false]);
  });

  it('ends every answer of credentials that opened it before and no longer do', async () => {
    let revoked = false;
    const answers = new OpenAnswers(accessThatOpens((authorization) => !revoked || authorization !== 'Bearer a'));
    const [first, second, other] = [answerWith('Bearer a'), answerWith('Bearer a'), answerWith('Bearer b')];
    const open = [first.answer, second.answer, other.answer];
    await answers.endUnproven(open);
    revoked = true;
    await answers.endUnproven(open);
    expect([first, second, other].map(({ destroyed }) => destroyed())).toEqual([true, true, false]);
  });

  it('asks again about answers without credentials on a path that may need them, and not about others', async () => {
    const access = accessThatOpens(() => false);
    const [guarded, open] = [answerWith(), answerWith(undefined, '/health')];
    await new OpenAnswers(access).endUnproven([guarded.answer, open.answer]);
    expect([guarded.destroyed(), open.destroyed()]).toEqual([true, false]);
  });

  it('ends the others although one has a path that cannot be read', async () => {
    const [refused, guarded] = [answerWith(undefined, '/%E0%A4%A'), answerWith()];
    await new OpenAnswers(accessThatOpens(() => false)).endUnproven([refused.answer, guarded.answer]);
    expect([refused.destroyed(), guarded.destroyed()]).toEqual([false, true]);
  });

  it('keeps answers while nobody can tell', async () => {
    const access = { isProven: () => true, stillOpens: () => Promise.reject(new Error('the store is away')) };
    const { answer, destroyed } = answerWith('Bearer a');
    await new OpenAnswers(access).endUnproven([answer]);
    expect(destroyed()).toBe(false);
  });
});
