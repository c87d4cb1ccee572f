import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
const EXAMPLES = 'test/integration/agents/examples.test.ts';
const LOOP = 'packages/agent/src/loop/run-agent.test.ts';
const BODIES = 'packages/agent/src/provider/request-bodies.test.ts';
const FAILURES = 'packages/agent/src/provider/error/classify-failure.test.ts';
const TEXTS = 'packages/agent/src/result/outcome-text.test.ts';
const ARGUMENTS = 'packages/agent/src/run/read-arguments.test.ts';
const KEEPER = 'packages/client/src/session/session-keeper.test.ts';
const HUB = 'packages/plugboard/src/agent-model/hub-agent-models.test.ts';
const AWS_BATCHES = 'packages/agent/src/provider/bedrock/bedrock-batches.test.ts';
const HUB_TOOLS = 'test/integration/agents/hub-metadata.test.ts';
const FETCH = 'packages/agent/src/provider/bedrock/fetch-handler.test.ts';
const SDK_OPENAI = 'packages/testing/src/llm/openai-sdk.test.ts';
const REAL_MODELS = 'test/integration/agents/library-run.test.ts';
const KILLERS = 'packages/schema/src/adapt/provider-killers.test.ts';

type Case = readonly [requirement: string, file: string, words: string];

/** What the agent library must do, case by case, and the test that shows it: its file, and words of its title or of its row. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  clients: [
    ['a client does nothing before its first call', CLIENT, 'does nothing until it is used'],
    ['the second call uses the session of the first', CLIENT, 'then opens one session for all'],
    ['first calls at the same time open one session', KEEPER, 'opens once for all who ask'],
    ['a session that is gone (404) is opened again', CLIENT, 'heals a lost session once'],
    [
      'on the wire: introduction, notification (204), call (404), and all three once more',
      CLIENT,
      'opens one more session when calls are answered with 404',
    ],
    ['a lost session is opened again on the same connections', CLIENT, 'on the same connections'],
    ['a session that is lost again and again is an error', TOOLS, 'a session that is lost again and again'],
    ['a call survives one loss of its session', TOOLS, 'a session that is lost once is no failure'],
    ['callers who see one loss together open one session', KEEPER, 'each loss is followed by at most one opening'],
    [
      'an opening that failed leaves the client closed, and the next caller tries again',
      KEEPER,
      'tried again by the next',
    ],
    ['dispose ends calls in flight', CLIENT, 'ends calls in flight when it is disposed'],
    ['a disposed client can be used again', CLIENT, 'and can be used again'],
    ['a client without a URL says so with its first call', CLIENT, 'is told by the first call'],
    ['the list of tools opens the session too', CLIENT, 'has typed access to everything'],
    ['the list of tools is cached', CLIENT, 'keeps the last list'],
    ['the list is read again when it is stale', CLIENT, 'until it is stale'],
    ['a list that failed is not cached', CLIENT, 'does not keep a list that could not be read'],
    ['all pages of the list are read', SESSION, 'follows cursors to the end, in order'],
    ['servers of one name in two folders are told apart', TOOLS, 'servers of one name in two folders'],
    ['a server without a GET stream (405) is fine', HTTP, 'is not there: 405 is fine, 404 is a lost session'],
    ['closing says DELETE, and 405 is tolerated', HTTP, 'closing says DELETE once'],
  ],
  'stored sessions': [
    [
      'a client has no session id before its first call',
      CLIENT,
      'client.sessionId, dispatchers(), methods]).toEqual([false, undefined',
    ],
    ['nor after it was disposed', CLIENT, 'expect(client.sessionId).toBeUndefined()'],
    ['by default nothing is stored', TOOLS, 'without one, nothing is kept'],
    ['the id of a new session is stored', CLIENT, "expect(store.current).toMatchObject({ sessionId: 's1'"],
    ['the id of the next session replaces it', CLIENT, "expect(client.sessionId).toBe('s2')"],
    ['a store is made for each server that is enabled', TOOLS, 'each has the session store that is made for it'],
    ['no two servers share an id', TOOLS, 'expect(new Set(ids).size).toBe(2)'],
    ['a store of your own is used', CLIENT, 'takes up a stored session'],
    ['a stored id is used without a new introduction, with its revision', CLIENT, 'takes up a stored session'],
    ['an id that is gone is replaced in the store', CLIENT, 'forgets it when it is gone'],
    ['dispose clears the store', CLIENT, 'forgets it when it is gone'],
  ],
  'tools of an agent': [
    ['metadata: the type is mcp', REAL, 'its tools have metadata'],
    ['metadata: the display name is the original name', TOOLS, "metadata: { display_name: 'geo.find place' }"],
    ['metadata: folder, slug, server, tags, grade', REAL, 'its tools have metadata'],
    ['metadata: tools of a hub have that of their servers', HUB_TOOLS, 'have the metadata of their own servers'],
    ['metadata: the folder tells servers apart', TOOLS, "metadata.folder_path === '/support'"],
    ['a tool is made from what the server lists', TOOLS, 'dynamic: everything, or what is allowed'],
    [
      'a tool that the provider does not accept is left out, and named',
      TOOLS,
      'a tool that the provider does not accept is left out',
    ],
    ['a server without tools gives none', TOOLS, 'a server without tools gives none'],
    ['several servers: one client each', REAL, 'each enabled one gets a client'],
    ['several servers: disabled ones are skipped', REAL, 'each enabled one gets a client'],
    ['no servers give no tools and no clients', TOOLS, 'no servers, or only disabled ones, give nothing'],
    ['only disabled servers give no tools and no clients', TOOLS, 'no servers, or only disabled ones, give nothing'],
    ['tools of one name on two servers are told apart', TOOLS, 'tools of one name get the names of their servers'],
    ['a server without a config has no URL configured', TOOLS, "['no config', undefined]"],
    ['a server without a URL has no URL configured', TOOLS, "['no URL', {"],
    ['a server without a command has no URL configured', TOOLS, "['no command', {"],
    ['a call reaches the server with the original name', TOOLS, "executed('geo.find place')"],
    ['names: illegal characters and blanks', TOOLS, 'all names are legal'],
    ['names: at most 64 characters', KILLERS, 'a name with dots or 70 characters'],
    ['names that collide once they are legal', KILLERS, 'resolves names that collide only once they are legal'],
    ['results: parts are kept', TOOLS, 'parts, structured content and errors are kept'],
    ['results: structured content is kept, and told once', TEXTS, 'is told once'],
    ['results: structured content that says more is told', TEXTS, 'structured content with %s is told'],
    [
      'results: pictures and sounds in the form of each library',
      EXAMPLES,
      'passes on a picture and a sound of a result',
    ],
    ['results: halves of characters are left out', TEXTS, 'halves of characters are left out'],
    ['results: an error of a tool is an error for the model', TOOLS, 'parts, structured content and errors are kept'],
    ['results: long text is cut with a note', TOOLS, 'long text is cut, with a note'],
    ['errors: the message of the server, and the cause', TOOLS, 'has the message of the server, and the cause'],
    [
      'errors: a lost session says that the connection was terminated',
      TOOLS,
      'says that the connection was terminated',
    ],
    [
      'errors: cancellation is thrown, other failures are outcomes',
      TOOLS,
      'a failure is an outcome; cancellation is thrown',
    ],
  ],
  discovery: [
    ['cached: no request before the first call', TOOLS, 'cached: no request before the first call'],
    ['cached: the list is compared before a call', TOOLS, "counters.received('tools/list')).toBe(1)"],
    ['cached without refresh: no list', TOOLS, 'cached without refresh'],
    ['dynamic: everything that the server lists', TOOLS, 'dynamic: everything, or what is allowed'],
    ['dynamic: the allow list', TOOLS, 'dynamic: everything, or what is allowed'],
    ['dynamic: a name that the server lacks is a warning', TOOLS, 'The server one has no tool gone.'],
    ['a disabled server has no tools in any mode', TOOLS, 'no servers, or only disabled ones, give nothing'],
    ['breaking: a new required parameter', TOOLS, 'a new required parameter'],
    ['breaking: a renamed parameter', TOOLS, 'a renamed parameter'],
    ['breaking: another type', TOOLS, "['another type',"],
    [
      'breaking: nothing is executed, and the model is told the parameters',
      TOOLS,
      'nothing is executed, the model is told',
    ],
    ['breaking: the tool takes over the new schema, and the next call works', TOOLS, 'and its next call works'],
    ['breaking: every adapter shows the new schema to the model', EXAMPLES, 'reads the new parameters of a tool'],
    ['fine: a new optional parameter', TOOLS, 'a new optional parameter'],
    ['fine: another description', TOOLS, 'another description'],
    ['a tool that is gone says so', TOOLS, 'a tool that is gone says so'],
    ['a tool that became unusable says so', TOOLS, 'a tool that became so is not called again'],
    ['a list that fails: the cached schema is used, with a warning', TOOLS, 'a list that fails is a warning'],
    ['fixed arguments are hidden and sent', TOOLS, 'fixed arguments are hidden'],
    ['a tool with fixed arguments does not adapt itself', TOOLS, 'a changed tool with them is not called'],
  ],
  release: [
    ['the block disposes the clients', REAL, 'the clients are released by the block'],
    ['the block disposes the clients when it throws', REAL, 'also when it throws'],
    ['a server that fails releases the clients of the others', REAL, 'a server that fails releases the clients'],
  ],
  'requests to models': [
    ['lone surrogates are removed', PROVIDERS, 'lone surrogates, blank texts, empty messages'],
    ['cut arguments are not executed, unless the tool only reads', ARGUMENTS, 'nothing that was cut off is completed'],
    ['a provider without its key names the variable', CHOOSE, '%s with %j lacks a variable'],
    ['an empty key is none', CHOOSE, "{ OPENAI_API_KEY: '' }"],
    ['Chat: the limit is max_completion_tokens', BODIES, 'the limit has the name that OpenAI reads'],
    [
      'Chat: reasoning models get no temperature and no parameter for parallel calls',
      BODIES,
      'reasoning models get no temperature',
    ],
    ['Chat: reasoning models get instructions of the developer', THINKING, 'instructions of the developer'],
    ['Chat: o1-mini has no developer', CHOOSE, "'o1-mini'"],
    ['Chat: the choice of a tool', PROVIDERS, 'the choice of a tool are accepted'],
    ['Chat: formats are named and strict by default', BODIES, 'a format is named and strict unless'],
    ['Chat: the cache is kept for models that have it', BODIES, 'a retention, for models that have it'],
    ['Chat: no retention for endpoints that are only compatible', BODIES, 'gets no retention'],
    ['Chat: compatible endpoints get no null content', BODIES, 'has the content %j'],
    ['Chat: parameters that an endpoint refuses are left out', BESIDE, 'parameters that they refuse are left out'],
    ['Chat: pictures are addresses with their data', BODIES, 'pictures are addresses with their data'],
    ['Chat: thoughts in the members that proxies use', THINKING, 'thoughts in the members that proxies use'],
    ['Chat: usage at the end of a stream', PROVIDERS, 'a whole answer and a streamed one are the same'],
    [
      'Responses: nothing is stored, thoughts are encrypted',
      BODIES,
      'nothing is stored, and thoughts come back encrypted',
    ],
    ['Responses: models that do not reason are asked for no thoughts', BODIES, 'are asked for no thoughts'],
    [
      'Messages: instructions on top, and the user begins',
      BODIES,
      'instructions are beside the conversation, and the user begins',
    ],
    ['Messages: messages of the user in a row are one', BODIES, 'messages of the user in a row are one'],
    ['Messages: two results of one call are one', BODIES, 'two results of one call are one'],
    ['Messages: empty texts are dropped, the begun answer stays', BODIES, 'and the begun answer stays'],
    ['Messages: 4,096 tokens by default', BODIES, '4,096 tokens unless'],
    [
      'Messages: a budget of at least 1,024 tokens, no temperature, no forced tool',
      THINKING,
      'a budget of at least 1,024',
    ],
    ['Messages: adaptive thinking and effort', THINKING, 'get an effort instead of a budget'],
    ['Messages: a forced tool', BODIES, 'the choice %j'],
    ['Messages: calls one at a time', BODIES, 'calls one at a time, only when'],
    ['Messages: beta features by condition', BODIES, 'the beta features for %s'],
    ['Messages: a request that must be a stream is streamed', BESIDE, 'only sends as a stream is streamed'],
    [
      'Messages: marks for the cache on instructions, last tool, last block',
      BODIES,
      'marks on the instructions, the last tool and the last block',
    ],
    ['Converse: points for the cache', BODIES, 'points after the instructions, the tools and the last message'],
    ['no marks for the cache unless asked for', BODIES, 'no mark unless it is asked for'],
    ['Converse: the key of the agent, not that of the environment', FETCH, 'takes no key from the environment'],
    ['Gemini gets its own shape', ADAPTERS, 'Gemini: the SDK sends the declarations and the responses'],
  ],
  'answers of models': [
    ['usage of each provider', PROVIDERS, 'answers, with usage and finish'],
    ['usage that was not reported is null', PROVIDERS, 'usage that was not reported is null, not 0'],
    ['usage as Gemini reports it', BESIDE, 'usage of Gemini'],
    ['every reason to finish', BODIES, 'whole and streamed'],
    ['unknown reasons to finish', PROVIDERS, "['some_new_reason', 'other']"],
    ['an empty answer is a failure', PROVIDERS, 'an empty answer is a failure'],
    ['a web page or a text instead of JSON is a failure', BESIDE, "['a web page',"],
    ['structured output', PROVIDERS, 'structured output'],
    ['embeddings: order, blank texts', BESIDE, 'keep the order, take blank texts'],
    ['embeddings: a batch that is too large is halved', BESIDE, 'a batch that the endpoint cannot take is halved'],
  ],
  'batches and counts': [
    ['a batch is submitted, polled and read', BESIDE, 'are submitted, polled and read'],
    ['a batch whose ids do not match one to one is not sent', BESIDE, "'with an id twice'"],
    ['Bedrock: requests and results in S3, and a job', AWS_BATCHES, 'is a file in S3 and a job'],
    ['Bedrock without a place in S3 says so', AWS_BATCHES, 'says what is missing'],
    ['count: an empty text of the user', BESIDE, 'an empty text of the user'],
    ['count: an empty text of the model', BESIDE, 'an empty text of the model'],
    ['count: a blank text in the middle', BESIDE, 'a blank text of the model in the middle'],
    ['count: no parts of the user', BESIDE, 'no parts of the user'],
    ['count: no parts of the model', BESIDE, 'no parts of the model'],
    ['count: a thought and nothing else', BESIDE, 'a thought and nothing else'],
    ['count: white space at the end (four cases)', BESIDE, "['text', 'text ', 'text\\n', 'text \\t\\n']"],
    ['count: no messages', BESIDE, 'no messages cost nothing'],
    ['count: tools', BESIDE, '%s counts tools too'],
  ],
  'failures of providers': [
    ['text about the context decides before the status', FAILURES, 'prompt is too long: 200001 tokens'],
    ['a code for the context', FAILURES, "[400, 'context_length_exceeded', 'context-window']"],
    ['429', FAILURES, "[429, 'Rate limit reached', 'rate-limit']"],
    ['429 with Retry-After', PROVIDERS, 'expect(error.retryAfterMs).toBe(7000)'],
    ['400 with a web page names the address', BESIDE, 'a web page with an error status names the address'],
    ['400', FAILURES, `'x'", 'bad-request'`],
    ['401', FAILURES, "[401, 'Incorrect API key', 'authentication']"],
    ['403', FAILURES, "[403, 'You do not have access', 'permission']"],
    ['404', FAILURES, "[404, 'no such model', 'not-found']"],
    ['422', FAILURES, "[422, 'cannot be processed', 'bad-request']"],
    ['402, and text about credits', FAILURES, 'You can only afford 12 tokens'],
    ['413', FAILURES, "[413, 'too large', 'context-window']"],
    ['5xx that is overloaded', FAILURES, "[500, 'Overloaded', 'overloaded']"],
    ['5xx of a proxy may pass', FAILURES, 'upstream connect error'],
    ['errors inside a stream', FAILURES, "[undefined, 'insufficient_quota', 'credits']"],
    ['each failure has its code, and whether it may pass', FAILURES, 'has the code %s, and may pass: %s'],
    ['the end of the time', BESIDE, 'the end of the time is called a time-out'],
    ['retries wait with jitter', RESILIENT, 'waits a random time below a ceiling that doubles'],
    ['retries respect Retry-After', RESILIENT, 'not before the provider allows it'],
    [
      'another model answers in place of an overloaded one',
      RESILIENT,
      'answers in place of a model that is overloaded',
    ],
    ['a bad request does not fall back', RESILIENT, 'does not answer what the first one called wrong'],
    ['a circuit breaker', RESILIENT, 'a provider that keeps failing is not asked for a while'],
    ['a circuit breaker of the hub', HUB, 'is not asked for a while, by later questions either'],
    ['an overloaded provider that says so in its stream', RESILIENT, 'without a word of the answer'],
    ['batches, counts and vectors are retried; a batch is not submitted twice', RESILIENT, 'is not submitted again'],
    ['a full context window is compacted, once', LOOP, 'a full context window is answered'],
    ['every error class of the SDK of OpenAI', SDK_OPENAI, 'is the error class of the SDK'],
    ['a task with three servers, one of which is killed', REAL_MODELS, 'solves the task though one of them is killed'],
    ['a stream of the hub has exactly one finish, last', MODELS, 'stream a chat completion: one finish, last'],
  ],
};

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases)('%s', (_requirement, file, words) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(words);
  });
});
