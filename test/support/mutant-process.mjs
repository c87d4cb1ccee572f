// A mutant of the kill matrix, or a server without a defect, as a stdio program: node mutant-process.mjs <name>
import { aggregateServer, MUTANTS, mutantServer, referenceServer, taskingServer } from '@plugboard/testing';

const HEALTHY = { reference: referenceServer, tasking: taskingServer, aggregate: aggregateServer };
const [name = ''] = process.argv.slice(2);
const mutant = MUTANTS.find((one) => one.name === name);
const server = mutant === undefined ? HEALTHY[name]() : mutantServer(mutant);
const child = server.launch();
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.stderr?.pipe(process.stderr);
process.once('SIGTERM', () => child.kill('SIGTERM'));
const { code, signal } = await child.exited;
await server.close();
process.exitCode = code ?? (signal === null ? 0 : 1);
if (child.stdout.readableLength === 0) process.exit();
