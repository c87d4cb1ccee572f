export { FaultBoard, type BoardOptions, type Strike } from './board/fault-board.js';
export { type FaultAction, type FaultKind, type FaultPhase, type ProxyFault } from './board/proxy-fault.js';
export { seeded } from './board/seeded.js';
export { openFaultControl, type FaultControl } from './control/control-server.js';
export { openControlledBoard, type ControlledBoard } from './control/controlled-board.js';
export { faultProxy, type FaultProxy, type FaultProxyOptions } from './fault-proxy.js';
export { faultyProgram, type FaultyProgram, type ProgramEnd, type ProgramOptions } from './line/faulty-program.js';
export { openTcpRelay, type TcpRelay, type TcpRelayOptions } from './tcp/tcp-relay.js';
