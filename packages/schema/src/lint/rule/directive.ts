import { excerpt, perText, type LintRule } from './lint-rule.js';

const firstMatch = (text: string, patterns: readonly RegExp[]): string | undefined => {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return `"${excerpt(match[0], 100)}"`;
  }
  return undefined;
};

const CONCEALMENT = [
  /\b(?:do not|don['’]t|never|must not|avoid|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|mention(?:ing)?|let(?:ting)?)\b[^.\n]{0,40}\b(?:the )?(?:user|human|operator|person|anyone)s?\b/iu,
  /\b(?:hide|conceal|keep)\b[^.\n]{0,40}\bfrom (?:the )?(?:user|human|operator)s?\b/iu,
  /\b(?:secretly|covertly|quietly)\s+(?:send|forward|copy|upload|read|include|add|call|append|bcc|post)\b/iu,
  /\b(?:the )?user (?:must|should|need) (?:not|never) (?:know|see|notice|be told|be aware)\b/iu,
];

export const concealment: LintRule = {
  id: 'SEC-13',
  name: 'concealment',
  level: 'error',
  sentence: 'The text tells the model to hide something from the user.',
  fix: 'Do not use the tool until its author has explained this text.',
  inspect: perText(({ text }) => firstMatch(text, CONCEALMENT)),
};

const OVERRIDE = [
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|preceding|system)\s+(?:instructions?|prompts?|rules|messages|context|guidelines)\b/iu,
  /<\s*(?:\/\s*)?(?:system|secret|hidden|admin|assistant|im_start|im_end)\s*>|<important>/iu,
  /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?(?:INST|SYS(?:TEM)?)\]|<<SYS>>/u,
  /\b(?:you are now|from now on,? you (?:are|must|will))\b/iu,
  /\bnew (?:system )?instructions?\s*:/iu,
];

export const override: LintRule = {
  id: 'SEC-13',
  name: 'instruction-override',
  level: 'error',
  sentence: 'The text addresses the model as if it came from the user or the system.',
  fix: 'Do not use the tool until its author has explained this text.',
  inspect: perText(({ text }) => firstMatch(text, OVERRIDE)),
};

const HARVEST = [
  /(?:read|open|cat|load|include|send|attach|pass|provide|copy)\b[^.\n]{0,60}(?:~\/\.ssh|\bid_rsa\b|\.aws\/credentials|\/etc\/(?:passwd|shadow)|\.cursor\/mcp\.json|\.netrc\b|\.npmrc\b)/iu,
  /\b(?:include|pass|send|append|put)\b[^.\n]{0,40}\b(?:conversation history|chat history|system prompt|previous messages|all (?:api )?keys|environment variables)\b[^.\n]{0,40}\b(?:parameter|argument|field|here|in this|as)\b/iu,
];

export const harvesting: LintRule = {
  id: 'SEC-13',
  name: 'harvesting',
  level: 'error',
  sentence: 'The text asks the model for secrets or for the conversation.',
  fix: 'Do not use the tool until its author has explained this text.',
  inspect: perText(({ text }) => firstMatch(text, HARVEST)),
};

const CROSS_TOOL = [
  /\b(?:always|must|should|required to)\b[^.\n]{0,60}\b(?:before|instead of|prior to|rather than|after)\b[^.\n]{0,30}\b(?:any|all|every)\s+other\s+tools?\b/iu,
  /\b(?:do not|don['’]t|never)\s+(?:use|call|invoke|run)\s+(?:any|all|the)\s+other\s+(?:\w+\s+)?tools?\b/iu,
  /\b(?:when(?:ever)?|if|each time|every time)\b[^.\n]{0,40}\b(?:another|other|any)\s+tools?\b[^.\n]{0,40}\b(?:is|are|gets?)\s+(?:called|used|invoked|available|run)\b[^.\n]{0,60}\b(?:must|also|first|instead|then)\b/iu,
  /\bthis tool (?:overrides|replaces|supersedes|takes precedence over)\b/iu,
];

export const crossTool: LintRule = {
  id: 'LNT-22',
  name: 'cross-tool-directive',
  level: 'warning',
  sentence: 'The text tells the model how to use other tools.',
  fix: 'Describe only the tool itself; put workflows into the instructions of the server.',
  inspect: perText(({ text, kind }) => (kind === 'instructions' ? undefined : firstMatch(text, CROSS_TOOL))),
};
