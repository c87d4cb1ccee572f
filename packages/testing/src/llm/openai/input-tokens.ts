import { countTokens } from '../script/reckon-usage.js';
import type { SideRoute } from '../script/side-route.js';
import { stringsIn } from '../wire/json-view.js';
import { jsonReply } from '../wire/reply.js';
import { authorize, onlyKnown, readBody } from './read-openai.js';
import { readResponses } from './read-responses.js';

/** The parameters of a count, as documented in November 2026. */
const PARAMETERS = new Set(
  (
    'conversation input instructions model parallel_tool_calls personality previous_response_id reasoning text tool_choice ' +
    'tools truncation'
  ).split(' '),
);

/** Counts the tokens of a request to Responses, also of one that is too long for the model. */
export const openaiInputTokens: SideRoute = {
  method: 'POST',
  path: /^\/v1\/responses\/input_tokens$/u,
  answer: (arrival, { reading }) => {
    authorize(arrival, reading);
    const body = readBody(arrival);
    onlyKnown(body, PARAMETERS);
    const { personality: _, ...request } = body;
    const models = Object.fromEntries(Object.keys(reading.models).map((model) => [model, {}]));
    readResponses({ ...arrival, body: Buffer.from(JSON.stringify(request)) }, { ...reading, models });
    const { input, instructions, tools } = body;
    const texts = stringsIn([input, instructions, tools]);
    return jsonReply({
      object: 'response.input_tokens',
      input_tokens: texts.reduce((sum, text) => sum + countTokens(text), 0),
    });
  },
};
