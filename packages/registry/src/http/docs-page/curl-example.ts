import type { OperationObject } from '../openapi/document-types.js';

const SAMPLES: Readonly<Record<string, string>> = {
  mcp_server_id: '$SERVER_ID',
  tool_id: '$TOOL_ID',
  mcp_server_name: 'weather',
  mcp_tool_name: 'forecast',
};

/** A command that performs the operation, ready to be copied into a shell. */
export const curlExample = (origin: string, method: string, path: string, operation: OperationObject): string => {
  const body = operation.requestBody?.content['application/json']?.example;
  const streams = operation.responses['200']?.content?.['text/event-stream'] !== undefined;
  const url = origin + path.replaceAll(/\{(\w+)\}/gu, (_match, name: string) => SAMPLES[name] ?? name);
  const words = ['curl', ...(streams ? ['-N'] : []), ...(method === 'get' ? [] : ['-X', method.toUpperCase()])];
  const lines = [`${words.join(' ')} "${url}"`, '-H "Authorization: Bearer $PLUGBOARD_API_KEY"'];
  if (body !== undefined) {
    const text = JSON.stringify(body, undefined, 2).replaceAll("'", String.raw`'\''`);
    lines.push("-H 'Content-Type: application/json'", `-d '${text}'`);
  }
  return lines.join(' \\\n  ');
};
