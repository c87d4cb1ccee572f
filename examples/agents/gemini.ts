import type { Content, GoogleGenAI } from '@google/genai';
import { type AgentTools, geminiTools } from '@plugboard/agent';

/** Asks a model through the Gemini API until it needs no more tools. */
export const askGemini = async (
  client: GoogleGenAI,
  model: string,
  agent: AgentTools,
  question: string,
): Promise<string> => {
  const { functionDeclarations, run } = geminiTools(agent);
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }];
  for (let turn = 0; turn < 10; turn += 1) {
    const config = { tools: [{ functionDeclarations }] };
    const answer = await client.models.generateContent({ model, contents, config });
    const content = answer.candidates?.[0]?.content;
    if (content === undefined || answer.functionCalls === undefined) return answer.text ?? '';
    // The content goes back as it came: its calls are signed.
    contents.push(content, { role: 'user', parts: await run(answer.functionCalls) });
  }
  return 'The model did not finish within ten turns.';
};
