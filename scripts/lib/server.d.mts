/** Runs one command of the command line to its end; throws if it fails. */
export function cli(node: string, command: string, env: NodeJS.ProcessEnv): Promise<void>;
