import { disclosuresIn } from '../../detect/disclosure.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import type { Probe } from '../../probe/probe.js';
import { openCanary } from '../../connection/canary.js';
import { inBoth } from '../instrument/in-both.js';
import { judged } from '../instrument/judge.js';
import { computed, factors, inject, NO_TEXT, textParameters, type Payload } from './injection.js';

const VALIDATE = inBoth('server/tools#security-considerations', 'Servers MUST: Validate all tool inputs […]');

const security = {
  family: 'security',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  level: 'SHOULD',
  tier: 'full',
  source: VALIDATE,
} as const;

/** Sends payloads as every text that may be sent, and judges what was computed. */
const injected = async (probe: Probe, payloads: readonly Payload[], expected: string) => {
  const parameters = await textParameters(probe);
  if (parameters.length === 0) return NO_TEXT;
  const flaws = await inject(probe, { session: await probe.open(), parameters, payloads });
  return judged(flaws, expected, `${parameters.length} parameters.`);
};

const shellPayloads = (seed: number): readonly Payload[] => {
  const { a, b, product } = factors(seed);
  const expr = `expr ${a} \\* ${b}`;
  const gives = computed(product);
  const forms = [
    `; ${expr}`,
    `$(${expr})`,
    `\`${expr}\``,
    `| ${expr}`,
    `&& ${expr}`,
    `\n${expr}\n`,
    `'; ${expr} #`,
    `& set /a ${a}*${b}`,
  ];
  return forms.map((value) => ({ value, gives }));
};

export const noCommands = defineCheck({
  ...security,
  id: 'SEC-03',
  title: 'no text is executed by a shell',
  remedy: 'Start programs without a shell, with a list of arguments, after -- if the program supports it.',
  run: (probe) => injected(probe, shellPayloads(probe.seed), 'the text itself, or an error: nothing is computed'),
});

const DATABASE = new Set(['SQL', 'an error of a database']);

const sqlPayloads = (seed: number): readonly Payload[] => {
  const { a, b, product } = factors(seed);
  const gives = computed(product);
  const complains: Payload['gives'] = (said) => disclosuresIn(said).find((kind) => DATABASE.has(kind));
  return [
    { value: `'`, gives: complains },
    { value: `'||(${a}*${b})||'`, gives },
    { value: `' UNION SELECT ${a}*${b} -- `, gives },
    { value: `0 UNION SELECT ${a}*${b} -- `, gives },
    { value: `{"$where": "return ${a}*${b}"}`, gives },
  ];
};

export const noQueries = defineCheck({
  ...security,
  id: 'SEC-04',
  title: 'no text becomes part of a query',
  remedy: 'Bind values as parameters of a prepared statement; never put them into the text of a query.',
  run: (probe) =>
    injected(
      probe,
      sqlPayloads(probe.seed),
      'the text itself, or an error: nothing is computed, no error of a database',
    ),
});

const templatePayloads = (seed: number, port: number): readonly Payload[] => {
  const { a, b, product } = factors(seed);
  const gives = computed(product);
  const halves = [product.slice(0, 4), product.slice(4)];
  return [
    ...[`{{${a}*${b}}}`, `\${${a}*${b}}`, `<%= ${a}*${b} %>`, `#{${a}*${b}}`, `{%raw ${a}*${b}%}`].map((value) => ({
      value,
      gives,
    })),
    { value: `<!DOCTYPE x [<!ENTITY a "${halves[0]}"><!ENTITY b "${halves[1]}">]><x>&a;&b;</x>`, gives },
    {
      value: 'a\r\nx-plugboard-injected: yes',
      gives: (_said, answer) =>
        answer?.http?.headers['x-plugboard-injected'] === undefined ? undefined : 'a header of the answer',
    },
    { value: `\${jndi:ldap://127.0.0.1:${port}/x}`, gives: () => undefined },
  ];
};

export const noTemplates = defineCheck({
  ...security,
  id: 'SEC-05',
  title: 'no text is evaluated as a template, an entity, a header or a lookup',
  remedy: 'Treat input as text: escape it, and resolve nothing in it.',
  async run(probe) {
    const canary = await openCanary();
    try {
      const found = await injected(probe, templatePayloads(probe.seed, canary.port), 'the text, or a refusal');
      if (found.kind !== 'holds' || canary.hits.length === 0) return found;
      return judged(
        [{ detail: 'A lookup in a text was carried out: the listener on this machine was called.' }],
        'no lookup',
      );
    } finally {
      await canary.close();
    }
  },
});
