export function isFree(port: number, host?: string): Promise<boolean>;
export function freePort(remembered?: number, host?: string): Promise<number>;
