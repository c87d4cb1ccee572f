import { randomUUID } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
} from '@modelcontextprotocol/server';
import { text } from './content-tools.mjs';

/** States travel through clients, so they are signed; each round is served by another instance of the server. */
export const stateCodec = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });

const form = (message, field, type = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  });

const completion = (words, maxTokens) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens });

const askName = () => form('What is your name?', 'name');
const answerTo = ({ inputResponses }, key) => inputResponses?.[key];
/** @returns {string | undefined} */
const fieldOf = ({ inputResponses }, key, field) => {
  /** @type {Record<string, string> | undefined} */
  const content = acceptedContent(inputResponses, key);
  return content?.[field];
};

/** A confirmation with a state beside it. */
const confirmed = async (mcpReq, tool, words) => {
  if (mcpReq.requestState() !== undefined && fieldOf(mcpReq, 'confirm', 'ok') !== undefined) return text(words);
  return inputRequired({
    inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') },
    requestState: await stateCodec.mint({ tool, nonce: randomUUID() }),
  });
};

const severalInputs = async (mcpReq) => {
  const name = fieldOf(mcpReq, 'user_name', 'name');
  const greeting = answerTo(mcpReq, 'greeting')?.content?.text;
  const roots = answerTo(mcpReq, 'client_roots')?.roots;
  if (name !== undefined && greeting !== undefined && Array.isArray(roots)) {
    return text(`${greeting}, ${name}: ${roots.length} root(s)`);
  }
  return inputRequired({
    inputRequests: {
      user_name: askName(),
      greeting: completion('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await stateCodec.mint({ tool: 'multiple_inputs', nonce: randomUUID() }),
  });
};

const twoRounds = async (mcpReq) => {
  const { round = 0, name } = mcpReq.requestState() ?? {};
  const next = async (key, question, state) =>
    inputRequired({
      inputRequests: { [key]: question },
      requestState: await stateCodec.mint({ ...state, nonce: randomUUID() }),
    });
  if (round === 0) return next('step1', form('Step 1: What is your name?', 'name'), { round: 1 });
  if (round === 1) {
    const given = fieldOf(mcpReq, 'step1', 'name') ?? 'unknown';
    return next('step2', form('Step 2: What is your favorite color?', 'color'), { round: 2, name: given });
  }
  return text(`${name} likes ${fieldOf(mcpReq, 'step2', 'color') ?? 'unknown'}`);
};

const onlyWhatIsDeclared = async (mcpReq) => {
  if (mcpReq.inputResponses !== undefined) return text('fulfilled');
  const declared = mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
  const inputRequests = {
    ...(declared.elicitation === undefined ? {} : { user_name: askName() }),
    ...(declared.sampling === undefined ? {} : { greeting: completion('Generate a greeting', 50) }),
    ...(declared.roots === undefined ? {} : { client_roots: inputRequired.listRoots() }),
  };
  return Object.keys(inputRequests).length === 0 ? text('nothing is declared') : inputRequired({ inputRequests });
};

const TOOLS = {
  test_input_required_result_elicitation: async (mcpReq) => {
    const name = fieldOf(mcpReq, 'user_name', 'name');
    return name === undefined ? inputRequired({ inputRequests: { user_name: askName() } }) : text(`Hello, ${name}!`);
  },
  test_input_required_result_sampling: async (mcpReq) => {
    const answer = answerTo(mcpReq, 'capital_question');
    const question = completion('What is the capital of France?', 100);
    return answer === undefined
      ? inputRequired({ inputRequests: { capital_question: question } })
      : text(`Sampling response: ${answer.content?.text}`);
  },
  test_input_required_result_list_roots: async (mcpReq) => {
    const roots = answerTo(mcpReq, 'client_roots')?.roots;
    return Array.isArray(roots)
      ? text(`${roots.length} root(s)`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_missing_capability: async (mcpReq) =>
    answerTo(mcpReq, 'llm_answer') === undefined
      ? inputRequired({ inputRequests: { llm_answer: completion('Say pong', 16) } })
      : text('pong'),
  test_input_required_result_request_state: (mcpReq) => confirmed(mcpReq, 'request_state', 'state-ok: verified'),
  test_input_required_result_tampered_state: (mcpReq) => confirmed(mcpReq, 'tampered_state', 'integrity-ok: verified'),
  test_input_required_result_multiple_inputs: severalInputs,
  test_input_required_result_multi_round: twoRounds,
  test_input_required_result_capabilities: onlyWhatIsDeclared,
};

/** Tools and a prompt that ask by their result: on a legacy session the SDK sends the questions as requests. */
export const addRoundTools = (server) => {
  const inputSchema = fromJsonSchema({ type: 'object', properties: {} });
  for (const [name, answer] of Object.entries(TOOLS)) {
    const description = 'Asks the client by its result.';
    server.registerTool(name, { description, inputSchema }, (_args, { mcpReq }) => answer(mcpReq));
  }
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks before it renders.' },
    ({ mcpReq }) => {
      const context = fieldOf(mcpReq, 'user_context', 'context');
      if (context === undefined) {
        return inputRequired({
          inputRequests: { user_context: form('What context should the prompt use?', 'context') },
        });
      }
      return { messages: [{ role: 'user', content: { type: 'text', text: `Use the following context: ${context}` } }] };
    },
  );
};
