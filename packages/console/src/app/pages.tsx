import type { Role } from '@plugboard/contract';
import {
  Activity,
  Bot,
  ClipboardCheck,
  FileText,
  Gauge,
  HeartPulse,
  Home,
  KeyRound,
  Layers,
  MessageSquare,
  ScrollText,
  Server,
  Settings,
  Wrench,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { ServersPage } from '../servers/servers-page.js';
import { HomePage } from '../home/home-page.js';

const AddServerPage = lazy(async () => ({ default: (await import('../servers/add-server-page.js')).AddServerPage }));
const ServerPage = lazy(async () => ({ default: (await import('../servers/server-page.js')).ServerPage }));
const ToolsPage = lazy(async () => ({ default: (await import('../tools/tools-page.js')).ToolsPage }));
const ToolPage = lazy(async () => ({ default: (await import('../tools/tool-page.js')).ToolPage }));
const ResourcesPage = lazy(async () => ({ default: (await import('../resources/resources-page.js')).ResourcesPage }));
const ToolsetsPage = lazy(async () => ({ default: (await import('../toolsets/toolsets-page.js')).ToolsetsPage }));
const ToolsetPage = lazy(async () => ({ default: (await import('../toolsets/toolset-page.js')).ToolsetPage }));
const AgentsPage = lazy(async () => ({ default: (await import('../agents/agents-page.js')).AgentsPage }));
const AgentPage = lazy(async () => ({ default: (await import('../agents/agent-page.js')).AgentPage }));
const AvailabilityPage = lazy(async () => ({
  default: (await import('../availability/availability-page.js')).AvailabilityPage,
}));
const BenchmarksPage = lazy(async () => ({
  default: (await import('../benchmarks/benchmarks-page.js')).BenchmarksPage,
}));
const BenchPage = lazy(async () => ({ default: (await import('../benchmarks/bench-page.js')).BenchPage }));
const ChatPage = lazy(async () => ({ default: (await import('../chat/chat-page.js')).ChatPage }));
const ChecksPage = lazy(async () => ({ default: (await import('../checks/checks-page.js')).ChecksPage }));
const CheckPage = lazy(async () => ({ default: (await import('../checks/check-page.js')).CheckPage }));
const ComparePage = lazy(async () => ({ default: (await import('../checks/compare-page.js')).ComparePage }));
const TrafficPage = lazy(async () => ({ default: (await import('../traffic/traffic-page.js')).TrafficPage }));
const KeysPage = lazy(async () => ({ default: (await import('../keys/keys-page.js')).KeysPage }));
const AuditPage = lazy(async () => ({ default: (await import('../audit/audit-page.js')).AuditPage }));
const SettingsPage = lazy(async () => ({ default: (await import('../settings/settings-page.js')).SettingsPage }));

const CALLERS: readonly Role[] = ['admin', 'operator', 'agent'];

interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  readonly page: ComponentType;
  /** Who gets something out of it; everybody when left out. */
  readonly roles?: readonly Role[];
}

/** Every page of the navigation, in its order. */
const PAGES: readonly PageEntry[] = [
  { path: '/home', title: 'Home', icon: Home, page: HomePage },
  { path: '/servers', title: 'Servers', icon: Server, page: ServersPage },
  { path: '/tools', title: 'Tools', icon: Wrench, page: ToolsPage },
  { path: '/resources', title: 'Resources', icon: FileText, page: ResourcesPage, roles: CALLERS },
  { path: '/toolsets', title: 'Toolsets', icon: Layers, page: ToolsetsPage },
  { path: '/agents', title: 'Agents', icon: Bot, page: AgentsPage },
  { path: '/chat', title: 'Chat', icon: MessageSquare, page: ChatPage, roles: CALLERS },
  { path: '/traffic', title: 'Traffic', icon: Activity, page: TrafficPage },
  { path: '/availability', title: 'Availability', icon: HeartPulse, page: AvailabilityPage },
  { path: '/checks', title: 'Checks', icon: ClipboardCheck, page: ChecksPage },
  { path: '/benchmarks', title: 'Benchmarks', icon: Gauge, page: BenchmarksPage },
  { path: '/keys', title: 'Keys', icon: KeyRound, page: KeysPage, roles: ['admin'] },
  { path: '/audit', title: 'Audit', icon: ScrollText, page: AuditPage, roles: ['admin', 'operator'] },
  { path: '/settings', title: 'Settings', icon: Settings, page: SettingsPage },
];

/** The pages of the navigation that a role can use. Any address can be opened: the hub decides what it answers. */
export const pagesFor = (role: Role): readonly PageEntry[] =>
  PAGES.filter(({ roles }) => roles === undefined || roles.includes(role));

interface RouteEntry {
  readonly path: string;
  readonly page: ComponentType;
}

/** Every address, more exact ones first. */
export const ROUTES: readonly RouteEntry[] = [
  { path: '/servers/new', page: AddServerPage },
  { path: '/servers/new/paste', page: AddServerPage },
  { path: '/servers/:id/:tab?', page: ServerPage },
  { path: '/tools/:serverId/:toolId/:tab?', page: ToolPage },
  { path: '/toolsets/:id', page: ToolsetPage },
  { path: '/resources/:id/:tab?', page: ResourcesPage },
  { path: '/agents/:id/:tab?', page: AgentPage },
  { path: '/checks/compare/:before/:after', page: ComparePage },
  { path: '/checks/:id', page: CheckPage },
  { path: '/benchmarks/:id', page: BenchPage },
  { path: '/traffic/:tab', page: TrafficPage },
  ...PAGES.map(({ path, page }) => ({ path, page })),
];
