import type { JsonObject } from '../connection/json.js';

export interface AskTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A tool call as the model wrote it: its arguments are the text that arrived. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export type AskMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly call: ToolCall }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

/** A request to a model, in no provider's words. */
export interface Ask {
  readonly messages: readonly AskMessage[];
  readonly maxTokens: number;
  readonly stream?: boolean;
  readonly tools?: readonly AskTool[];
  /** The model must call a tool. */
  readonly forceTool?: boolean;
  /** The JSON Schema that the answer must follow. */
  readonly schema?: JsonObject;
  /** Instead of the model of the target. */
  readonly model?: string;
  /** Members of the body in the words of the provider, which replace those of the same name. */
  readonly more?: JsonObject | undefined;
}

export interface Usage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number | undefined;
  /** Tokens of the prompt that came from a cache. */
  readonly cached: number | undefined;
  /** Tokens of the answer that were thoughts. */
  readonly reasoning: number | undefined;
}

/** What the model thought before it answered, as far as the provider shows it. */
export interface Thought {
  readonly text: string;
  readonly signature: string | undefined;
}

/** An answer that came as a whole, in no provider's words. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Empty also where the provider shows none. */
  readonly thoughts: readonly Thought[];
  readonly finish: string | undefined;
  readonly usage: Usage | undefined;
  /** Where it does not have the documented shape. */
  readonly problems: readonly string[];
}

/** An event of a stream, in no provider's words. */
export type StreamEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly index: number; readonly id: string | undefined; readonly text: string }
  | { readonly kind: 'finish'; readonly reason: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'other' };

/** An event with the id of the message it belongs to, where the provider sends one. */
export type SeenEvent = StreamEvent & { readonly messageId?: string | undefined };

const user = (text: string): AskMessage => ({ role: 'user', text });

const WEATHER: AskTool = {
  name: 'get_weather',
  description: 'Get the current temperature of a city.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
    additionalProperties: false,
  },
};

export const CITY_SCHEMA: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' }, country: { type: 'string' } },
  required: ['city', 'country'],
  additionalProperties: false,
};

export const LIMIT = 24;

/** What the suite asks. Small on purpose: each request costs its sender tokens. */
export const ASKS = {
  plain: { messages: [user('Reply with the single word: pong')], maxTokens: 256 },
  long: { messages: [user('Count from 1 to 300, one number per line.')], maxTokens: LIMIT },
  story: { messages: [user('Write three sentences about the sea.')], maxTokens: 512, stream: true },
  tool: {
    messages: [user('What is the temperature in Paris? Use the tool.')],
    maxTokens: 512,
    tools: [WEATHER],
    forceTool: true,
  },
  structured: {
    messages: [user('Name the city with the Eiffel Tower and its country, as JSON.')],
    maxTokens: 256,
    schema: CITY_SCHEMA,
  },
  toolAndSchema: {
    messages: [user('Get the temperature in Paris with the tool. Then name the city and its country, as JSON.')],
    maxTokens: 512,
    tools: [WEATHER],
    schema: CITY_SCHEMA,
  },
  cities: {
    messages: [user('What are the temperatures in Paris and in Rome? Call the tool for each city.')],
    maxTokens: 512,
    tools: [WEATHER],
    forceTool: true,
  },
  riddle: { messages: [user('How many days are seven weeks and two days? Think first.')], maxTokens: 4_096 },
} as const satisfies Readonly<Record<string, Ask>>;

/** The conversation goes on after the tool has answered. */
export const afterTool = (call: ToolCall, callId = call.id, asked: Ask = ASKS.tool): Ask => ({
  messages: [...asked.messages, { role: 'assistant', call }, { role: 'tool', callId, text: '21 degrees Celsius' }],
  maxTokens: 256,
  ...(asked.tools === undefined ? {} : { tools: asked.tools }),
  ...(asked.schema === undefined ? {} : { schema: asked.schema }),
});
