import type { SmppPeers } from './smpp-peers.mjs';

export interface Kannel {
  calls: URLSearchParams[];
  stop(): Promise<void>;
  send(message: { from?: string; to?: string; text: string; coding?: number }): Promise<number>;
}

export function startKannel(
  peers: SmppPeers,
  smsc: { port: number; systemId: string; password: string },
): Promise<Kannel>;
