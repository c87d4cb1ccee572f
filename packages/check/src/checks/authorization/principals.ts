import { at, isObject, listAt, show } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable, notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe, type Answer } from '../../session/answer.js';
import type { Session } from '../../session/session.js';
import { responsive, tryCall } from '../instrument/exercise.js';
import { ABLE, answersTo, isInterim, retry } from '../instrument/interview.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { begin, declaredTasks, NO_TASKS, TASK_CLIENT, taskTools } from '../tasks/tasking.js';
import { bearer, firstRequest, isServed, operatorToken, statusOf, withoutCredentials } from './anonymous.js';
import { bearerChallenge } from './challenge.js';
import { guarded } from './lock.js';
import { NO_TOKEN, notServing } from './refusal.js';
import { AUTHORIZATION, authorization, bestPractice, CONSIDERATIONS } from './source.js';

const NO_OTHER = notVerified('No second user is configured.', 'the headers of a second user (otherHeaders)');

/** The headers of the second user in place of the first one's. */
const otherUser = (probe: Probe): Readonly<Record<string, string | null>> | undefined =>
  probe.target.otherHeaders === undefined ? undefined : { ...withoutCredentials(probe), ...probe.target.otherHeaders };

/** Judges with a second user at hand. */
const withOther = (judge: (probe: Probe, headers: Readonly<Record<string, string | null>>) => Promise<Finding>) =>
  guarded(async (probe) => {
    const headers = otherUser(probe);
    return headers === undefined ? NO_OTHER : await judge(probe, headers);
  });

export const sessionsBelong = defineCheck({
  ...AUTHORIZATION,
  eras: ['legacy'],
  id: 'HTP-18',
  inSequence: true,
  title: 'one user cannot use the session of another',
  level: 'MUST',
  tier: 'standard',
  source: bestPractice(
    'session-hijacking',
    'MCP servers that implement authorization MUST verify all inbound requests. MCP Servers MUST NOT use sessions for authentication.',
  ),
  remedy: 'Bind a session to the user whose token opened it, and compare both with every request.',
  run: withOther(async (probe, headers) => {
    const session = await probe.open();
    if (session.sessionId === undefined) return notApplicable('The server issues no session ids.');
    const answer = await session.request('tools/list', undefined, { headers });
    if (answer.result === undefined) return holds();
    return broken({
      detail: 'tools/list was served in the session of the first user to the second one.',
      expected: 'HTTP 404, 403 or 401',
      exchange: answer.exchange,
    });
  }),
});

const NOTHING_ASKED = notVerified('No tool asks for input.', 'a tool that asks the user: --allow name');

/** The state was good for a result: no error, and no question. */
const isTaken = (answer: Answer): boolean =>
  answer.result !== undefined && answer.result['isError'] !== true && !isInterim(answer);

/** The state of a question that a tool asked the first user. */
const interimAnswer = async (probe: Probe, session: Session) => {
  for (const tool of await responsive(probe)) {
    const { answer } = await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} });
    if (isInterim(answer) && typeof at(answer?.result, 'requestState') === 'string') return answer;
  }
  return undefined;
};

export const handlesBelong = defineCheck({
  ...AUTHORIZATION,
  eras: ['modern'],
  id: 'AUT-27',
  title: 'one user cannot use the request state of another',
  level: 'MUST',
  tier: 'standard',
  source: bestPractice(
    'state-handle-hijacking',
    'MCP servers that implement authorization MUST verify all inbound requests. MCP servers MUST NOT treat possession of a state handle as authentication.',
  ),
  remedy: 'Include the user in the signed state, and compare it when the state comes back.',
  run: withOther(async (probe, headers) => {
    const mine = await probe.open({ capabilities: ABLE });
    const control = await interimAnswer(probe, mine);
    if (control === undefined) return NOTHING_ASKED;
    // The control: for the first user, the state with the answers leads to a result.
    const own = await retry(mine, control, answersTo(control));
    if (!isTaken(own)) {
      const detail = `The requestState of the first user was answered with ${describe(own)} for this user, too.`;
      return notVerified(detail, 'a tool that continues when it gets what it asked for');
    }
    // A state may be good for one answer only.
    const interim = await interimAnswer(probe, mine);
    if (interim === undefined) return NOTHING_ASKED;
    const theirs = await probe.open({ capabilities: ABLE, headers });
    const answer = await retry(theirs, interim, answersTo(interim));
    // To ask the second user anew is to take no state of the first one.
    if (!isTaken(answer)) return holds();
    return broken({
      detail: `The requestState of the first user was answered with ${describe(answer)} for the second one.`,
      expected: 'an error',
      exchange: answer.exchange,
    });
  }),
});

export const tasksBelong = defineCheck({
  ...AUTHORIZATION,
  id: 'TSK-09',
  title: 'one user cannot access the tasks of another',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/utilities/tasks#task-isolation-and-access-control',
      'If context-binding is available, receivers MUST reject tasks/get, tasks/result, and tasks/cancel requests for tasks that do not belong to the same authorization context as the requestor.',
    ),
    modern: {
      sentence:
        'Servers MUST perform authentication and authorization checks on each task-related request to ensure that the client has permission to access a task.',
      url: 'https://modelcontextprotocol.io/seps/2663-tasks-extension#security-implications',
    },
  },
  remedy: 'Bind a task to the user whose call created it. Answer all other users as if the task did not exist.',
  run: withOther(async (probe, headers) => {
    if (declaredTasks(probe.session()) === undefined) return NO_TASKS;
    const [tool] = await taskTools(probe);
    if (tool === undefined) {
      return notVerified('No tool that may be called becomes a task.', 'a tool that runs as a task: --allow name');
    }
    const capabilities = TASK_CLIENT[probe.era];
    const mine = await probe.open({ capabilities });
    const task = await begin(probe, mine, { tool, args: tool.arguments[0] ?? {} });
    if (task === undefined) {
      return notVerified(`${tool.name} became no task.`, 'a tool that runs as a task: --allow name');
    }
    const theirs = await probe.open({ capabilities, headers });
    const look = await theirs.request('tasks/get', { taskId: task.id });
    const listed = isObject(at(theirs.capabilities, 'tasks', 'list')) ? await theirs.request('tasks/list') : undefined;
    const shown = JSON.stringify(listed?.result ?? {}).includes(task.id);
    return judged(
      [
        ...(look.result === undefined ? [] : [{ detail: 'The second user can read it.', exchange: look.exchange }]),
        ...(shown ? [{ detail: 'The second user has it in the list.', exchange: listed?.exchange }] : []),
      ],
      'error -32602',
    );
  }),
});

const LISTS = [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['prompts/list', 'prompts'],
] as const;

export const privateLists = defineCheck({
  ...AUTHORIZATION,
  eras: ['modern'],
  id: 'AUT-28',
  title: 'lists that differ between users are marked as private',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'server/utilities/caching#security-considerations',
    'Servers MUST be aware that responses with a "public" cacheScope may be shared between callers even if the Result is coming from an authenticated endpoint.',
  ),
  remedy: 'Answer with cacheScope: private wherever the answer depends on who asks.',
  run: withOther(async (probe, headers) => {
    const theirs = await probe.open({ headers });
    const flaws: Flaw[] = [];
    for (const [method, key] of LISTS) {
      const own = await probe.session().request(method);
      const other = await theirs.request(method);
      // The control: the first user is shown the same again. A refusal is no list of another user.
      const again = await probe.session().request(method);
      if ([own, other, again].some(({ result }) => result === undefined)) continue;
      const [mine, foreign, later] = [own, other, again].map(({ result }) => JSON.stringify(listAt(result, key)));
      if (mine === later && mine !== foreign && at(own.result, 'cacheScope') === 'public') {
        flaws.push({ detail: `${method} differs between two users and is public.`, exchange: own.exchange });
      }
    }
    return judged(flaws, 'cacheScope: private');
  }),
});

export const audienceVerified = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-10',
  title: 'a token for another server is rejected with 401',
  level: 'MUST',
  since: '2025-06-18',
  tier: 'standard',
  source: authorization(
    'token-handling',
    'MCP servers MUST validate that access tokens were issued specifically for them as the intended audience, according to RFC 8707 Section 2.',
  ),
  remedy: 'Compare the audience of each token with your own address.',
  run: guarded(async (probe) => {
    const { otherAudienceToken } = probe.target.authorization ?? {};
    if (otherAudienceToken === undefined) {
      return notVerified(
        'No token for another server is configured.',
        'an access token of the same issuer for another server (authorization.otherAudienceToken)',
      );
    }
    const why = await notServing(probe);
    if (why !== undefined) return why;
    const reply = await firstRequest(probe, bearer(probe, otherAudienceToken));
    const status = statusOf(reply);
    if (status === 401) return holds();
    const evidence = {
      detail: `It was answered with HTTP ${status}.`,
      expected: 'HTTP 401',
      exchange: reply.exchange,
    };
    return isServed(reply) ? broken(evidence) : doubtful(evidence);
  }),
});

/** What a token with few scopes is refused with, wherever that happens first. */
const narrowRefusal = async (
  probe: Probe,
  token: string,
): Promise<{ status: number; header: string | undefined } | undefined> => {
  const first = await firstRequest(probe, bearer(probe, token));
  if (statusOf(first) >= 400) return { status: statusOf(first), header: first.http?.headers['www-authenticate'] };
  const session = await probe.open({ headers: bearer(probe, token) });
  const [tool] = await responsive(probe);
  if (tool === undefined) return undefined;
  const { answer } = await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} });
  const status = answer?.http?.status ?? 0;
  return status >= 400 ? { status, header: answer?.http?.headers['www-authenticate'] } : undefined;
};

export const scopeChallenge = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-14',
  title: 'a token without the scope is rejected with 403, and the response names the scope',
  level: 'SHOULD',
  tier: 'standard',
  source: authorization(
    'runtime-insufficient-scope-errors',
    'When a client makes a request with an access token with insufficient scope during runtime operations, the server SHOULD respond with: HTTP 403 Forbidden status code',
  ),
  remedy: 'Answer with 403 and WWW-Authenticate: Bearer error="insufficient_scope", scope="…", resource_metadata="…".',
  run: guarded(async (probe) => {
    const { narrowToken } = probe.target.authorization ?? {};
    const supply =
      'an access token that lacks a scope (authorization.narrowToken), and a tool that needs it: --allow name';
    if (narrowToken === undefined) return notVerified('No token with few scopes is configured.', supply);
    const refusal = await narrowRefusal(probe, narrowToken);
    if (refusal === undefined) return notVerified('The token was sufficient for every call that was tried.', supply);
    const parameters = bearerChallenge(refusal.header)?.parameters ?? {};
    const right = refusal.status === 403 && parameters['error'] === 'insufficient_scope';
    const named = parameters['scope'] !== undefined && parameters['resource_metadata'] !== undefined;
    if (right && named) return holds();
    return broken({
      detail: `It was answered with HTTP ${refusal.status} with ${show(refusal.header ?? 'no challenge')}.`,
      expected: 'HTTP 403 with error="insufficient_scope", scope and resource_metadata',
    });
  }),
});

export const noPassthrough = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-25',
  title: 'the server does not pass the token of the client to its own upstream',
  level: 'MUST',
  since: '2025-06-18',
  tier: 'standard',
  source: authorization(
    'access-token-privilege-restriction',
    'The MCP server MUST NOT pass through the token it received from the MCP client.',
    `${CONSIDERATIONS}#access-token-privilege-restriction`,
  ),
  remedy: 'Call your upstream with your own token.',
  run: guarded(async (probe) => {
    const token = operatorToken(probe);
    if (token === undefined) return NO_TOKEN;
    const name = probe.target.authorization?.upstreamTool;
    const tool = (await probe.callable()).find((one) => one.name === name);
    if (tool === undefined) {
      return notVerified(
        'What the server sends to its own upstream cannot be seen from outside.',
        'a tool that may be called and returns the headers that the upstream received (authorization.upstreamTool)',
      );
    }
    const { answer } = await tryCall(probe, await probe.open(), { tool, args: tool.arguments[0] ?? {} });
    if (answer?.result === undefined) {
      return notVerified(`${tool.name} gave no result.`, 'arguments for it: --allow \'name={"key":"value"}\'');
    }
    if (!JSON.stringify(answer.result).includes(token)) return holds();
    return broken({
      detail: `${tool.name} shows that the upstream received the token of the client.`,
      expected: 'another token',
      exchange: answer.exchange,
    });
  }),
});
