export function build(node: string, only?: string[]): Promise<string>;
