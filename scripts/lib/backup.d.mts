export function backup(options: { node: string; dir: string; to: string }): Promise<void>;
export function restore(options: { node: string; dir: string; from: string }): Promise<void>;
