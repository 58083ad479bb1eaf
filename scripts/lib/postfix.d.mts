export interface OwnPostfix {
  url: string;
  port: number;
  queue: string;
  exited: Promise<unknown>;
  kill(): Promise<unknown>;
  stop(): Promise<unknown>;
}
export function hasPostfix(): boolean;
export function postfix(options: {
  dataDir: string;
  relay: string;
  port?: number;
}): Promise<OwnPostfix>;
