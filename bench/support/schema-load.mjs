// What the benches of the schema doctor share: schemas of any size, and the time that work takes.

const ROUNDS = 5;

/** Processor time of the quickest of several rounds, in milliseconds: other programs on the machine do not count. */
export const time = (work, rounds = ROUNDS) => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
};

export const show = (label, value) => console.log(`${label.padEnd(44)} ${value}`);
export const milliseconds = (value) => `${value.toFixed(1)} ms`;

const PARAMETERS = [
  (index) => ({ type: 'string', description: `Parameter ${index}` }),
  () => ({ type: 'integer', minimum: 0 }),
  () => ({ enum: ['small', 'large'] }),
  () => ({ type: 'array', items: { type: 'string' } }),
  () => ({ anyOf: [{ type: 'number' }, { type: 'null' }] }),
  () => ({ $ref: '#/$defs/point' }),
];

/** A schema with so many parameters of six kinds, and of those in `more`. */
export const schemaWith = (parameters, more = []) => {
  const kinds = [...PARAMETERS, ...more];
  const properties = Array.from({ length: parameters }, (_, index) => [
    `p${index}`,
    kinds[index % kinds.length](index),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: ['p0'],
    $defs: { point: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } } },
  };
};

export const toolWith = (inputSchema, index = 0) => ({
  name: `tool_${index}`,
  description: `Does the thing number ${index}.`,
  inputSchema,
});
