export interface OwnRedis {
  url: string;
  pid: number;
  home: string;
  exited: Promise<unknown>;
  stop(): Promise<void>;
}

export function redis(options: {
  dataDir: string;
  durable?: boolean;
  logFile?: string;
  password?: string;
  settings?: string;
  sentinel?: boolean;
}): Promise<OwnRedis>;
