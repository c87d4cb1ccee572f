import OpenAI from 'openai';

/** Asks an agent of the hub with the client of OpenAI. The agent uses its own tools. */
export const askHubAgent = async (
  hubUrl: string,
  agentKey: string,
  agent: string,
  question: string,
): Promise<string> => {
  const client = new OpenAI({ apiKey: agentKey, baseURL: `${hubUrl}/v1` });
  const answer = await client.chat.completions.create({
    model: agent,
    messages: [{ role: 'user', content: question }],
  });
  return answer.choices[0]?.message.content ?? '';
};
