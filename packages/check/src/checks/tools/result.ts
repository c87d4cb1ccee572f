import { validateResult } from '@plugboard/schema';
import { at, isObject, listAt, show, tryJson } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { notVerified } from '../../model/finding.js';
import { blockFlaw } from '../instrument/content.js';
import { exercise, isComplete, responsive, tryCall, type Called } from '../instrument/exercise.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, NOTHING_CALLABLE, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const tools = { family: 'tools', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'tools' } as const;

const contentFlaws = ({ tool, answer }: Called): readonly Flaw[] => {
  const { result, exchange } = answer ?? {};
  const kind = at(result, 'resultType') ?? 'complete';
  if (result === undefined || kind !== 'complete') return [];
  if (!Array.isArray(result['content'])) {
    return [{ detail: `The content of ${tool.name} is ${show(result['content'])}.`, exchange }];
  }
  return listAt(result, 'content').flatMap((block, index) => {
    const flaw = blockFlaw(block);
    return flaw === undefined ? [] : [{ detail: `Block ${index + 1} of ${tool.name}: ${flaw}.`, exchange }];
  });
};

export const contentBlocks = defineCheck({
  ...tools,
  id: 'TOL-11',
  title: 'results are lists of valid content blocks: text, image, audio, resource_link, resource',
  level: 'MUST',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'schema#calltoolresult',
      'A list of content objects that represent the unstructured result of the tool call.',
    ),
    modern: spec(
      '2026-07-28',
      'schema#calltoolresult',
      'A list of content objects that represent the unstructured result of the tool call.',
    ),
  },
  remedy: 'Return content as an array of blocks with all their members; it may be empty. Encode data as base64.',
  async run(probe) {
    const called = await exercise(probe);
    if (called.length === 0) return NOTHING_CALLABLE;
    return judged(called.flatMap(contentFlaws), 'content: [{ type, … }]', `${called.length} calls.`);
  },
});

export const structuredConforms = defineCheck({
  ...tools,
  id: 'TOL-12',
  title: 'a tool with an outputSchema returns structuredContent that conforms to it',
  level: 'MUST',
  since: '2025-06-18',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'server/tools#output-schema',
      'Servers MUST provide structured results that conform to this schema.',
    ),
    modern: spec(
      '2026-07-28',
      'server/tools#output-schema',
      'Servers MUST provide structured results that conform to this schema.',
    ),
  },
  remedy: 'Return structuredContent that the outputSchema allows, or correct the outputSchema.',
  async run(probe) {
    const called = (await exercise(probe)).filter((item) => isObject(item.tool.outputSchema) && isComplete(item));
    if (called.length === 0) {
      const supply =
        'a tool with an outputSchema that may be called, and arguments with which it succeeds: --allow \'name={"key":"value"}\'';
      return notVerified('No tool with an outputSchema could be called.', supply);
    }
    const flaws = called.flatMap(({ tool, answer }) => {
      const verdict = validateResult(tool.outputSchema, answer?.result?.['structuredContent']);
      if (verdict.ok) return [];
      const why = verdict.problems
        .map(({ pointer, message }) => `${pointer || 'structuredContent'}: ${message}`)
        .join(' ');
      return [{ detail: `${tool.name}: ${why}`, exchange: answer?.exchange }];
    });
    return judged(flaws, 'structuredContent that conforms to the outputSchema', `${called.length} results.`);
  },
});

export const structuredAsText = defineCheck({
  ...tools,
  id: 'TOL-13',
  title: 'structured content also comes as JSON in a text block',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'server/tools#structured-content',
      'For backwards compatibility, a tool that returns structured content SHOULD also return the serialized JSON in a TextContent block.',
    ),
    modern: spec(
      '2026-07-28',
      'server/tools#structured-content',
      'For backwards compatibility, a tool that returns structured content SHOULD also return the serialized JSON in a TextContent block.',
    ),
  },
  remedy: 'Add { type: "text", text: JSON.stringify(structuredContent) } to the content.',
  async run(probe) {
    const called = (await exercise(probe)).filter(
      (item) => isComplete(item) && 'structuredContent' in (item.answer?.result ?? {}),
    );
    if (called.length === 0) {
      return notVerified('No result had structured content.', 'a tool that returns structured content: --allow name');
    }
    const flaws = called.flatMap(({ tool, answer }) => {
      const wanted = JSON.stringify(answer?.result?.['structuredContent']);
      const texts = listAt(answer?.result, 'content').map((block) => at(block, 'text'));
      const there = texts.some((text) => typeof text === 'string' && JSON.stringify(tryJson(text)) === wanted);
      return there
        ? []
        : [
            {
              detail: `The result of ${tool.name} has structuredContent, but no text block contains it.`,
              exchange: answer?.exchange,
            },
          ];
    });
    return judged(flaws, 'a text block with the same JSON');
  },
});

export const answersSameTwice = defineCheck({
  ...tools,
  id: 'TOL-17',
  title: 'a read-only, idempotent tool has the same outcome when it is called twice',
  level: 'ADVICE',
  tier: 'full',
  source: inBoth(
    'schema#toolannotations',
    'If true, calling the tool repeatedly with the same arguments will have no additional effect on its environment.',
  ),
  remedy: 'Correct the annotation, or make the result depend only on the arguments.',
  async run(probe) {
    const steady = (await responsive(probe)).filter(({ annotations }) => annotations['idempotentHint'] === true);
    if (steady.length === 0) {
      return notVerified(
        'No idempotent tool may be called.',
        'a tool with idempotentHint: true that may be called: --allow name',
      );
    }
    const session = await probe.open();
    const flaws: Flaw[] = [];
    for (const tool of steady.slice(0, 8)) {
      const args = tool.arguments[0] ?? {};
      const [first, second] = [
        await tryCall(probe, session, { tool, args }),
        await tryCall(probe, session, { tool, args }),
      ];
      if (isComplete(first) !== isComplete(second)) {
        flaws.push({ detail: `${tool.name} failed once and succeeded once.`, exchange: second.answer?.exchange });
      }
    }
    return judged(flaws, 'the same outcome');
  },
});
