import { EXIT, type ExitCode, hintFor, toPlugboardError } from '@plugboard/contract';
import { checkConfig, checkHome, checkMasterKey } from './check-files.js';
import { checkPort, checkRunning, checkVersion } from './check-hub.js';
import { checkProcessLimit, checkProcessLoad } from './check-processes.js';
import { checkSandbox } from './check-sandbox.js';
import { checkServers } from './check-servers.js';
import { type Finding, fine, problem } from './finding.js';
import { findRunningHub } from '../../hub-api/connect/running-hub.js';
import { count } from '../../terminal/count.js';
import type { Settings } from '../../settings/settings.js';
import type { Output } from '../../terminal/output.js';
import type { Style } from '../../terminal/style.js';
import { textWidth, wrapText } from '../../terminal/text-width.js';
import type { CommandContext } from '../command/command-context.js';
import type { HubApi } from '../../hub-api/hub-api.js';
import { pluginClient } from '../../hub-api/client/plugin-client.js';
import { printableLine } from '../../terminal/printable.js';

export interface DoctorInput {
  readonly offline: boolean;
}

/** A check that itself fails is a finding; only an interruption ends the examination. */
const guarded = async (
  context: CommandContext,
  told: Pick<Finding, 'id' | 'subject'>,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> => {
  try {
    return await check();
  } catch (thrown) {
    context.process.signal.throwIfAborted();
    const error = toPlugboardError(thrown);
    return [
      problem(
        { ...told, message: error.message },
        hintFor(error.toJSON(), 'cli') ?? 'Run it again with PLUGBOARD_DEBUG=1.',
      ),
    ];
  }
};

const checkInstallation = async ({ process }: CommandContext, settings: Settings): Promise<readonly Finding[]> => [
  await checkHome(settings.home, process.platform),
  checkConfig(settings),
  await checkMasterKey(settings, process.platform),
];

const checkSurroundings = async ({ process }: CommandContext, settings: Settings): Promise<readonly Finding[]> => {
  const running = await findRunningHub(settings.home, {
    fetch: (request) => fetch(request),
    isAlive: process.isAlive,
    signal: process.signal,
  });
  return [checkRunning(running), ...(running.state === 'none' ? [await checkPort(settings.host, settings.port)] : [])];
};

/** Does every plug-in load and start? */
const checkPlugins = async (api: HubApi): Promise<readonly Finding[]> =>
  (await pluginClient(api).list()).map(({ name, version, actions, error }) => {
    const told = { id: `plugin ${name}`, subject: `Plug-in ${name}` };
    return error === undefined
      ? fine({ ...told, message: printableLine(`${version ?? ''} ready, ${count(actions.length, 'action')}`) })
      : problem({ ...told, message: printableLine(error.message) }, hintFor(error, 'cli') ?? 'Correct its module.');
  });

const checkStoreAndServers = async (
  context: CommandContext,
  settings: Settings,
  offline: boolean,
): Promise<readonly Finding[]> => {
  const client = await context.hub();
  const runs = client.api.place.kind === 'running';
  const version = runs ? [await checkVersion(client.api)] : [];
  const servers = await checkServers(client, offline);
  return [
    ...version,
    fine({ id: 'store', subject: 'Store', message: `opens, holds ${count(servers.length, 'server')}` }),
    ...servers,
    ...(await checkPlugins(client.api)),
    // After the servers: looking at them may have started some.
    runs ? await checkProcessLoad(client.api) : checkProcessLimit(settings),
    await checkSandbox(settings, await client.servers()),
  ];
};

const MARKS = { ok: '✓', warning: '!', problem: '✗' } as const;

const paint = (verdict: Finding['verdict'], text: string, style: Style): string => {
  switch (verdict) {
    case 'ok':
      return style.green(text);
    case 'warning':
      return style.yellow(text);
    case 'problem':
      return style.red(text);
    default:
      return verdict satisfies never;
  }
};

const words = (findings: readonly Finding[], { style, width: columns = Infinity }: Output): string => {
  const width = Math.max(...findings.map(({ subject }) => textWidth(subject)));
  const margin = width + 4;
  const indent = (text: string, by: number): string => wrapText(text, columns - by).join(`\n${' '.repeat(by)}`);
  return findings
    .map(({ subject, verdict, message, fix }) => {
      const mark = paint(verdict, MARKS[verdict], style);
      const line = `${mark} ${style.bold(subject.padEnd(width))}  ${indent(message, margin)}`;
      return fix === undefined ? line : `${line}\n${' '.repeat(margin)}${style.dim('→')} ${indent(fix, margin + 2)}`;
    })
    .join('\n');
};

const FLOOR = [20, 19] as const;

/** Is this Node new enough? */
const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const told = { id: 'node', subject: 'Node', message: version };
  const enough = major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1]);
  return enough
    ? fine(told)
    : problem(
        { ...told, message: `${version} is older than ${FLOOR.join('.')}` },
        'Install a current Node from nodejs.org.',
      );
};

const examine = async (context: CommandContext, { offline }: DoctorInput): Promise<readonly Finding[]> => {
  const node = checkNode(context.process.nodeVersion);
  let settings: Settings;
  try {
    settings = await context.settings();
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    return [
      node,
      problem(
        { id: 'config', subject: 'Configuration', message: error.message },
        hintFor(error.toJSON(), 'cli') ?? 'Correct it.',
      ),
    ];
  }
  return [
    node,
    ...(await guarded(context, { id: 'home', subject: 'Home' }, () => checkInstallation(context, settings))),
    ...(await guarded(context, { id: 'hub', subject: 'Hub' }, () => checkSurroundings(context, settings))),
    ...(await guarded(context, { id: 'store', subject: 'Store' }, () =>
      checkStoreAndServers(context, settings, offline),
    )),
  ];
};

export const run = async (context: CommandContext, input: DoctorInput): Promise<ExitCode> => {
  const { out, waiting } = context;
  const findings = await waiting('Examining', () => examine(context, input));
  const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
  const warnings = findings.filter(({ verdict }) => verdict === 'warning').length;
  out.data({ ok: problems === 0, problems, warnings, findings });
  const shown = out.quiet ? findings.filter(({ verdict }) => verdict !== 'ok') : findings;
  if (shown.length > 0) out.text(words(shown, out));
  out.note(
    `\n${problems === 0 ? 'No problems' : count(problems, 'problem')}${warnings === 0 ? '' : `, ${count(warnings, 'warning')}`}.`,
  );
  return problems === 0 ? EXIT.ok : EXIT.failed;
};
