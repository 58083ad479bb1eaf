/** What this process is: an API, or a command of the operator, which has the services of one; or a worker. */
export class ProcessKind {
  constructor(readonly kind: 'api' | 'worker') {}
}
