/** An API; a program with the services of one and without HTTP, which are the SMPP server and commands of the operator; or a worker. */
export type ProcessName = 'api' | 'program' | 'worker';

/** What this process is. */
export class ProcessKind {
  constructor(readonly kind: ProcessName) {}
}
