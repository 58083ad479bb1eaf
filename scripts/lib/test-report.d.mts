export interface Failure {
  file: string;
  /** Without one the file itself could not be run. */
  name?: string;
  /** Of one or more lines. */
  message: string;
}
export function countTests(report: unknown, code: number): { passed: number; failed: number };
export function failuresOf(report: unknown): Failure[];
export function failureLines(failures: Failure[]): string[];
export function slowestFiles(report: unknown): { file: string; seconds: number }[];
