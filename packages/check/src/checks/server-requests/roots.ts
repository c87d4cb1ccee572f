import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { notVerified, type Finding } from '../../model/finding.js';
import type { Answer } from '../../session/answer.js';
import { ABLE, agree, isInterim, questionsOf, retry, type Question } from '../instrument/interview.js';
import { judged } from '../instrument/judge.js';
import { inject, PATH_LIKE, textParameters, type Payload } from '../security/injection.js';
import { spec } from '../instrument/spec.js';

const pathsTo = (file: string): readonly string[] => [
  file,
  `file://${file}`,
  `../../../../../../../..${file}`,
  `..%2f..%2f..%2f..%2f..%2f..%2f..${file.replaceAll('/', '%2f')}`,
  String.raw`..\..\..\..\..\..` + file.replaceAll('/', '\\'),
  `/./../..${file}`,
];

/** Judges with a file that holds a secret, outside of every folder that the client has opened. */
const withPlanted = async (judge: (file: string, secret: string) => Promise<Finding>): Promise<Finding> => {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-canary-'));
  try {
    const secret = `canary-${folder.slice(-6)}-${folder.length}`;
    const file = join(folder, 'secret.txt');
    await writeFile(file, secret);
    return await judge(file, secret);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const rootsHonoured = defineCheck({
  family: 'server-requests',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  id: 'S2C-10',
  title: 'a tool that reads files stays within the roots of the client',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'client/roots#implementation-guidelines',
      'Servers SHOULD: […] Respect root boundaries in operations',
    ),
    modern: spec(
      '2026-07-28',
      'client/roots#implementation-guidelines',
      'Servers SHOULD: […] Respect root boundaries in operations',
    ),
  },
  remedy: 'Resolve the path, follow links, and compare the result with the roots before opening it.',
  async run(probe) {
    const parameters = await textParameters(probe, PATH_LIKE);
    if (parameters.length === 0) {
      return notVerified('No tool with a path as parameter may be called.', 'a tool that takes a path: --allow name');
    }
    return await withPlanted(async (file, secret) => {
      let asked = false;
      const roots = [{ uri: 'file:///srv/plugboard-check-root', name: 'root' }];
      const replyTo = (question: Question) => {
        asked ||= question.method === 'roots/list';
        return question.method === 'roots/list' ? { roots } : agree(question);
      };
      const session = await probe.open({ capabilities: ABLE, onRequest: replyTo });
      const gives: Payload['gives'] = (said) => (said.includes(secret) ? 'a file outside of the roots' : undefined);
      const finish = async (answer: Answer | undefined): Promise<Answer | undefined> => {
        if (answer === undefined || !isInterim(answer)) return answer;
        const replies = questionsOf(answer).map(([key, question]) => [key, replyTo(question)]);
        return await retry(session, answer, Object.fromEntries(replies) as JsonObject);
      };
      const payloads = pathsTo(file).map((value) => ({ value, gives }));
      const flaws = await inject(probe, { session, parameters, payloads, finish });
      return judged(
        flaws,
        'a refusal',
        asked ? undefined : 'No tool asked for the roots, and none read outside of them.',
      );
    });
  },
});
