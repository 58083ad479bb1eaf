import type { SheetRow } from '../sheet.ts';

/** What the process of the reader and its caller say to each other. */
export type Ask = { sheet: number; limit?: number } | { more: true };

export interface Opened {
  delimiter: string;
  sheets: string[];
}

export interface Batch {
  rows: SheetRow[];
  isLast: boolean;
  /** Progress, 0 to 1. */
  ratio: number;
}

export interface Failure {
  error: {
    code: 'unreadable_file' | 'too_large';
    message: string;
    payload?: Record<string, unknown> | undefined;
  };
}

export type Answer = Opened | Batch;
