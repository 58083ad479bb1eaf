interface Proxy {
  base: string;
  stop(): Promise<void>;
}

export function nginx(options: { folder: string; settings: string }): Promise<Proxy>;
export function haproxy(options: { folder: string; settings: string }): Promise<Proxy>;
