// Calls of one tool from several callers that each wait for their answer: over plain REST, or what else is given.
import { Agent, request } from 'node:http';

const PLAIN_BODY = '{"text":"x"}';

const once = (agent, url, headers, body) =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: 'POST', headers: { ...headers, 'content-length': body.length } },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

/**
 * Calls for so long; the number of answers, the failures, and the percentiles of their times in milliseconds. With `agents`,
 * each caller has the connection and the session (`headersOf`) of its own number.
 */
export const callLoad = async ({ url, headers, callers, seconds, body = PLAIN_BODY, agents, headersOf }) => {
  const shared = new Agent({ keepAlive: true, maxSockets: callers });
  const times = [];
  let failed = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const call = async (_, caller) => {
    const agent = agents?.[caller] ?? shared;
    const fields = { ...headers, ...headersOf?.(caller) };
    while (performance.now() < end) {
      const sentAt = performance.now();
      const status = await once(agent, url, fields, body).catch(() => 0);
      if (status === 200) times.push(performance.now() - sentAt);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  shared.destroy();
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    calls: times.length,
    failed,
    perSecond: times.length / ((performance.now() - began) / 1000),
    p50: at(0.5),
    p99: at(0.99),
  };
};
