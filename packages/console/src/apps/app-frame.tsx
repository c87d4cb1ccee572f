import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Json } from '../api/json.js';
import { toApiError } from '../api/api-error.js';
import type { McpConnection } from '../api/mcp/mcp-connection.js';
import { Confirm } from '../ui/confirm.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Skeleton } from '../ui/skeleton.js';
import { visible } from '../ui/format-text.js';
import { AppBridge, type AppHost } from './app-bridge.js';
import { callQuestion, linkOf } from './app-consent.js';
import { appPageOf, type AppTool } from './app-tools.js';

export interface AppFrameProps {
  readonly mcp: McpConnection;
  readonly server: string;
  readonly uri: string;
  readonly tools: ReadonlyMap<string, AppTool>;
  readonly args: Json;
  /** Undefined while the tool runs. */
  readonly result: unknown;
}

interface Asking {
  readonly text: string;
  readonly action: string;
  readonly settle: (agreed: boolean) => void;
}

const FRAME = '/console/app-frame.html';
const MIN_HEIGHT = 120;
const MAX_HEIGHT = 1200;
const MAX_LOGS = 50;
const MAX_LOGGED = 300;

const theme = (): 'light' | 'dark' => {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

/** One question at a time: an app cannot bury a person in them. */
const useAsking = () => {
  const [asking, setAsking] = useState<Asking | undefined>();
  const busy = useRef(false);
  const ask = (text: string, action: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (busy.current) {
        reject(new Error('Another question is open.'));
        return;
      }
      busy.current = true;
      setAsking({
        text,
        action,
        settle: (agreed) => {
          busy.current = false;
          setAsking(undefined);
          if (agreed) resolve();
          else reject(new Error('The user declined.'));
        },
      });
    });
  return { asking, ask };
};

/**
 * The page that a server offers for results of a tool. It runs in a frame of an origin of its own that may load nothing,
 * and reaches the console by messages only.
 */
const LoadedApp = ({ html, mcp, server, tools, args, result }: AppFrameProps & { readonly html: string }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(MIN_HEIGHT);
  const [logs, setLogs] = useState<readonly string[]>([]);
  const { asking, ask } = useAsking();
  const bridge = useMemo(() => {
    const host: AppHost = {
      callTool: async (name, given) => {
        const tool = tools.get(name);
        if (tool?.callable !== true) throw new Error('Apps may not call this tool.');
        if (!tool.readOnly) {
          await ask(callQuestion(server, name, given), 'Call tool');
        }
        return mcp.request('tools/call', { name, arguments: given });
      },
      readResource: (uri) => mcp.request('resources/read', { uri }),
      openLink: async (address) => {
        const url = linkOf(address);
        await ask(`The app of ${server} wants to open ${url}`, 'Open address');
        window.open(url, '_blank', 'noopener,noreferrer');
      },
      resize: (wanted) => setHeight(Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.ceil(wanted)))),
      log: (text) => setLogs((before) => [...before, text.slice(0, MAX_LOGGED)].slice(-MAX_LOGS)),
    };
    return new AppBridge({
      host,
      // The frame has no origin that could be named; the message goes to its window only.
      send: (message) => frame.current?.contentWindow?.postMessage(message, '*'),
      context: { theme: theme(), displayMode: 'inline', availableDisplayModes: ['inline'], platform: 'web' },
    });
    // A bridge belongs to one frame and outlives what changes around it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>): void => {
      const target = frame.current?.contentWindow;
      if (target === null || target === undefined || event.source !== target) return;
      const { method } = (event.data ?? {}) as { readonly method?: unknown };
      if (method === 'ui/notifications/sandbox-proxy-ready') {
        target.postMessage(
          { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html } },
          '*',
        );
      } else {
        bridge.receive(event.data);
      }
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [bridge, html]);
  useEffect(() => bridge.notify('ui/notifications/tool-input', { arguments: args }), [bridge, args]);
  useEffect(() => {
    if (result !== undefined) bridge.notify('ui/notifications/tool-result', result as Json);
  }, [bridge, result]);
  return (
    <>
      <iframe
        ref={frame}
        className="app-frame"
        title={`App of ${server}`}
        src={FRAME}
        sandbox="allow-scripts allow-forms"
        referrerPolicy="no-referrer"
        style={{ height }}
      />
      {logs.length === 0 ? null : (
        <details>
          <summary>Log of the app</summary>
          <pre className="code wrap">{visible(logs.join('\n'))}</pre>
        </details>
      )}
      {asking === undefined ? null : (
        <Confirm
          title="The app asks you"
          action={asking.action}
          open
          onOpenChange={(open) => !open && asking.settle(false)}
          onConfirm={() => asking.settle(true)}
        >
          <p>{visible(asking.text)}</p>
        </Confirm>
      )}
    </>
  );
};

export const AppFrame = (props: AppFrameProps) => {
  const { mcp, server, uri } = props;
  const page = useQuery({
    queryKey: ['app', server, uri],
    queryFn: async ({ signal }) => appPageOf(await mcp.request('resources/read', { uri }, { signal })),
    retry: false,
  });
  if (page.isError) return <Failure error={toApiError(page.error)} />;
  if (page.data === undefined) return <Skeleton lines={2} />;
  if ('problem' in page.data) return <Notice tone="warn">{page.data.problem}</Notice>;
  const { html, declined } = page.data;
  return (
    <section className="stack tight" aria-label="App">
      {declined.length === 0 ? null : (
        <p className="quiet">The app asks for {visible(declined.join(', '))}. The console does not grant it.</p>
      )}
      <LoadedApp {...props} html={html} />
    </section>
  );
};
