export const workerFlags: string[];
