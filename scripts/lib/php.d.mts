export interface Php {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export function php(): Promise<Php | undefined>;
