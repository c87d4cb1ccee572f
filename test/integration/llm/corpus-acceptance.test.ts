import type { ToolDefinition } from '@plugboard/contract';
import { adaptList, fitList, type ProfileId, toProviderShape } from '@plugboard/schema';
import { DOUBLE_CREDENTIALS, DOUBLE_KEY, llmDouble } from '@plugboard/testing/llm';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { profileJudge as judge } from '../../support/profile-judge.js';
import { TOO_LARGE_FOR_STRICT } from '../../support/too-large-for-strict.js';
import { corpusServers } from '../../support/tool-corpus.js';

const servers = await corpusServers();

type Send = (tools: readonly object[]) => Promise<unknown>;

const ask = [{ role: 'user' as const, content: 'Hi' }];

/** Responses has the members of the function beside its type, and is strict unless it is told otherwise. */
const responsesTool = (tool: object): OpenAI.Responses.FunctionTool => {
  const { name, description, parameters, strict = false } = (tool as OpenAI.ChatCompletionFunctionTool).function;
  return { type: 'function', name, description: description ?? null, parameters: parameters ?? null, strict };
};

const senders = (
  url: string,
): readonly {
  readonly api: string;
  readonly profile: ProfileId;
  readonly most: number;
  readonly send: Send;
}[] => {
  const openai = new OpenAI({ apiKey: DOUBLE_KEY, baseURL: `${url}/v1`, maxRetries: 0 });
  const anthropic = new Anthropic({ apiKey: DOUBLE_KEY, baseURL: url, maxRetries: 0 });
  const { region, ...credentials } = DOUBLE_CREDENTIALS;
  const bedrock = new BedrockRuntimeClient({ region, credentials, endpoint: url, maxAttempts: 1 });
  const chat: Send = (tools) =>
    openai.chat.completions.create({ model: 'gpt-double', messages: ask, tools: tools as OpenAI.ChatCompletionTool[] });
  const responses: Send = (tools) =>
    openai.responses.create({ model: 'gpt-double', input: 'Hi', tools: tools.map(responsesTool) });
  const messages: Send = (tools) =>
    anthropic.messages.create({
      model: 'claude-double',
      max_tokens: 9,
      messages: ask,
      tools: tools as Anthropic.Tool[],
    });
  const converse: Send = (tools) =>
    bedrock.send(
      new ConverseCommand({
        modelId: 'anthropic.claude-double-v1:0',
        messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
        toolConfig: { tools: tools as never },
      }),
    );
  const gemini = new GoogleGenAI({ apiKey: DOUBLE_KEY, httpOptions: { baseUrl: url } });
  const generate: Send = (tools) =>
    gemini.models.generateContent({
      model: 'gemini-double',
      contents: 'Hi',
      config: { tools: [{ functionDeclarations: [...tools] }] },
    });
  return [
    { api: 'Chat Completions', profile: 'openai', most: 100, send: chat },
    { api: 'Chat Completions', profile: 'openai-strict', most: 100, send: chat },
    { api: 'Responses', profile: 'openai', most: 100, send: responses },
    { api: 'Responses', profile: 'openai-strict', most: 100, send: responses },
    { api: 'Messages', profile: 'anthropic', most: 100, send: messages },
    { api: 'Messages', profile: 'anthropic-strict', most: 1, send: messages },
    { api: 'Converse', profile: 'bedrock', most: 100, send: converse },
    { api: 'generateContent', profile: 'gemini', most: 100, send: generate },
  ];
};

const slices = (tools: readonly ToolDefinition[], most: number): readonly (readonly ToolDefinition[])[] =>
  Array.from({ length: Math.ceil(tools.length / most) }, (_, at) => tools.slice(at * most, (at + 1) * most));

test('each provider takes every tool of the corpus that was adapted to it', async () => {
  const models = { 'gpt-double': {}, 'claude-double': {}, 'anthropic.claude-double-v1:0': {}, 'gemini-double': {} };
  await using double = await llmDouble({ judge, models });
  double.always({ text: 'Yes.' });
  const sent: Record<string, number> = {};
  const strict: Record<string, number> = {};
  for (const { api, profile, most, send } of senders(double.url)) {
    for (const { name, tools } of servers) {
      for (const slice of slices(tools, most)) {
        const adapted = fitList(slice, profile).tools;
        const rejected = adapted.filter(({ verdict }) => verdict === 'rejected');
        expect({ api, profile, rejected: rejected.map(({ definition }) => definition.name) }).toMatchObject({
          rejected: [],
        });
        await send(adapted.map(({ definition, plan }) => toProviderShape(definition, plan.profile))).catch(
          (error: unknown) => {
            throw new Error(`${api} with ${profile} refused ${name}: ${String(error)}`, { cause: error });
          },
        );
        const key = `${api} ${profile}`;
        sent[key] = (sent[key] ?? 0) + adapted.length;
        strict[key] = (strict[key] ?? 0) + adapted.filter(({ plan }) => plan.profile.endsWith('-strict')).length;
      }
    }
  }
  expect(double.refusals).toEqual([]);
  const total = servers.reduce((sum, { tools }) => sum + tools.length, 0);
  expect(Object.keys(sent)).toHaveLength(8);
  for (const count of Object.values(sent)) expect(count).toBe(total);
  expect(strict).toMatchObject({
    'Chat Completions openai-strict': total,
    'Responses openai-strict': total,
    'Messages anthropic-strict': total - Object.keys(TOO_LARGE_FOR_STRICT).length,
  });
});

/** A count in the findings of the schema doctor. */
const counted = (messages: string, words: string): number | undefined => {
  const count = new RegExp(`has (?<count>\\d+) ${words}`, 'u').exec(messages)?.groups?.['count'];
  return count === undefined ? undefined : Number(count);
};

test('the tools that no request of Anthropic can have as strict are known, each with its reason', () => {
  const loose = servers.flatMap(({ name, tools }) =>
    tools.flatMap((tool) => {
      const [fitted] = fitList([tool], 'anthropic-strict').tools;
      if (fitted?.plan.profile === 'anthropic-strict') return [];
      const messages = adaptList([tool], 'anthropic-strict')
        .findings.map(({ message }) => message)
        .join(' ');
      const [optional, ambiguous] = [
        counted(messages, 'optional parameters'),
        counted(messages, 'parameters of more than one type'),
      ];
      return [[`${name}/${tool.name}`, { optional, ambiguous }] as const];
    }),
  );
  expect(Object.fromEntries(loose)).toEqual(TOO_LARGE_FOR_STRICT);
});

test('the same tools as their servers list them are refused by some', async () => {
  await using double = await llmDouble({ judge });
  double.always({ text: 'Yes.' });
  const [, strict] = senders(double.url);
  const outcomes = await Promise.all(
    servers.map(({ tools }) =>
      strict?.send(tools.slice(0, 100).map((tool) => toProviderShape(tool, 'openai-strict'))).then(
        () => 'taken',
        () => 'refused',
      ),
    ),
  );
  expect(outcomes.filter((one) => one === 'refused').length).toBeGreaterThan(servers.length / 2);
});
