// What most cases of the benchmark share: the call that is measured, and rows by their names.
export const CALL = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello', count: 3 } } };
export const find = (rows, name) => rows.find((row) => row.name === name);
export const named = (name, started, extra = {}) => (started === undefined ? [] : [{ name, ...started, ...extra }]);
