import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './source.js';

const CLIENT = 'packages/client/src/mcp-client.test.ts';
const HTTP = 'packages/client/src/transport/streamable-http.test.ts';
const SESSION = 'packages/client/src/session/session.test.ts';
const TOOLS = 'packages/agent/src/create-tools.test.ts';
const REAL = 'packages/agent/src/create-tools.integration.test.ts';
const ADAPTERS = 'packages/agent/src/adapter/adapters.test.ts';
const PROVIDERS = 'packages/agent/src/provider/providers.test.ts';
const BESIDE = 'packages/agent/src/provider/beside-answers.test.ts';
const CHOOSE = 'packages/agent/src/provider/choose/create-provider.test.ts';
const RESILIENT = 'packages/agent/src/provider/resilience/resilient-provider.test.ts';
const THINKING = 'packages/agent/src/provider/thinking.test.ts';
const MODELS = 'test/integration/agents/agent-models.test.ts';
const LOOP = 'packages/agent/src/loop/run-agent.test.ts';

/** What the agent library must do, and the test that shows it: requirement, file, words of the test's title. */
const CASES: readonly (readonly [requirement: string, file: string, title: string])[] = [
  ['a client opens its session with the first call', CLIENT, 'does nothing until it is used'],
  ['later calls use the same session', CLIENT, 'then opens one session for all'],
  ['a session that is gone (404) is opened again', CLIENT, 'heals a lost session once'],
  ['it is opened again a limited number of times', TOOLS, 'a session that is lost again and again'],
  ['a call survives one loss of its session', TOOLS, 'a session that is lost once is no failure'],
  ['a disposed client can be used again', CLIENT, 'ends calls in flight when it is disposed, and can be used again'],
  ['a stored session id is used without a new introduction', CLIENT, 'takes up a stored session'],
  ['a stored session id is forgotten when it is gone', CLIENT, 'forgets it when it is gone'],
  ['the list of tools is cached, refreshed, and dropped by dispose', CLIENT, 'keeps the last list'],
  ['a list that failed is not cached', CLIENT, 'does not keep a list that could not be read'],
  ['all pages of the list are read', SESSION, 'follows cursors to the end, in order'],
  ['a server without a GET stream (405) is fine', HTTP, 'is not there: 405 is fine, 404 is a lost session'],
  ['a server without URL or command is an error', TOOLS, 'is an error that says so'],
  ['servers of one name in two folders are told apart', TOOLS, 'servers of one name in two folders'],
  ['metadata: type, display name, folder, slug, server, tags, grade', TOOLS, 'its tools have metadata'],
  ['one client for each enabled server; disabled ones are skipped', REAL, 'each enabled one gets a client'],
  ['no servers give no tools', TOOLS, 'no servers, or only disabled ones, give nothing'],
  ['a server without tools gives none', TOOLS, 'a server without tools gives none'],
  ['names are sanitised and unique; calls use the original name', TOOLS, 'all names are legal'],
  ['results keep parts, structured content and errors', TOOLS, 'parts, structured content and errors are kept'],
  ['long results are cut with a note', TOOLS, 'long text is cut, with a note'],
  ['an error of the protocol has the message and the cause', TOOLS, 'has the message of the server, and the cause'],
  ['another failure is an outcome; cancellation is thrown', TOOLS, 'a failure is an outcome; cancellation is thrown'],
  ['dynamic discovery: all, or an allow list with a warning', TOOLS, 'dynamic: everything, or what is allowed'],
  ['cached discovery: no request before the first call', TOOLS, 'cached: no request before the first call'],
  ['cached discovery without refresh', TOOLS, 'cached without refresh'],
  ['a breaking change is not executed, and the model is told', TOOLS, 'nothing is executed, the model is told'],
  ['an additive or cosmetic change is executed', TOOLS, 'is no reason not to call'],
  ['a tool that is gone says so', TOOLS, 'a tool that is gone says so'],
  ['a list that fails: the cached schema is used', TOOLS, 'a list that fails is a warning'],
  ['fixed arguments are sent, and such tools do not adapt themselves', TOOLS, 'fixed arguments are hidden'],
  ['the block disposes the clients, also when it throws', REAL, 'released by the block, also when it throws'],
  ['a server that fails releases the other clients', REAL, 'a server that fails releases the clients'],
  ['Gemini gets its own shape', ADAPTERS, 'Gemini: the SDK sends the declarations and the responses'],
  ['a batch is submitted, polled and read', BESIDE, 'are submitted, polled and read'],
  ['a batch whose ids do not match one to one is not sent', BESIDE, "'with an id twice'"],
  ['Bedrock has no batches here, and says so', BESIDE, 'of batches of Bedrock says what is missing'],
  ['token counts of empty contents', BESIDE, '%s costs nothing'],
  ['token counts of white space at the end', BESIDE, 'white space at the end of %j is left out'],
  ['token counts without messages', BESIDE, 'no messages cost nothing'],
  ['token counts of tools', BESIDE, '%s counts tools too'],
  ['embeddings: order, blank texts, halves', BESIDE, 'keep the order, take blank texts, and halve'],
  ['usage of each provider', PROVIDERS, 'answers, with usage and finish'],
  ['usage that was not reported is null', PROVIDERS, 'usage that was not reported is null, not 0'],
  ['usage as Gemini reports it', BESIDE, 'usage of Gemini'],
  ['usage at the end of a stream', PROVIDERS, 'a whole answer and a streamed one are the same'],
  ['fields of the prompt cache', PROVIDERS, 'marks for the cache'],
  ['structured output', PROVIDERS, 'structured output'],
  ['an empty answer is a failure', PROVIDERS, 'an empty answer is a failure'],
  ['lone surrogates, empty messages, cut arguments', PROVIDERS, 'lone surrogates, blank texts, empty messages'],
  ['a request that must be a stream is streamed', BESIDE, 'only sends as a stream is streamed'],
  ['thinking: smallest budget, no forced tool', THINKING, 'a budget of at least 1,024'],
  ['retries wait with jitter', RESILIENT, 'waits a random time below a ceiling that doubles'],
  ['retries respect Retry-After', RESILIENT, 'not before the provider allows it'],
  ['another model answers in place of an overloaded one', RESILIENT, 'answers in place of a model that is overloaded'],
  ['a circuit breaker', RESILIENT, 'a provider that keeps failing is not asked for a while'],
  ['a full context window is compacted, once', LOOP, 'a full context window is answered'],
  ['a provider without its key names the variable', CHOOSE, '%s with %j lacks a variable'],
  ['a stream of the hub has exactly one finish, last', MODELS, 'stream a chat completion: one finish, last'],
];

test.each(CASES)('%s', (_requirement, file, title) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(title);
});
