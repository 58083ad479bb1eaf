import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Ask, Fault } from './fault-injector.ts';
import type { Address, FallbackServers } from './cluster.ts';

type Request = Ask extends infer A ? (A extends { id: number } ? Omit<A, 'id'> : never) : never;

/** The client of the process that runs the product and injects faults. */
export class FaultProcess {
  private readonly child: ChildProcess;
  private next = 1;

  constructor() {
    const file = fileURLToPath(new URL('./fault-injector.ts', import.meta.url));
    this.child = fork(file, { execArgv: [], stdio: 'inherit', detached: true });
  }

  /** `env` is for every process of the product; `program`: the folder of another build than the usual one. */
  async open(
    dir: string,
    env: Record<string, string>,
    program?: string,
    fallback?: FallbackServers,
  ): Promise<Address> {
    return (await this.ask({ do: 'open', dir, env, program, fallback })).address!;
  }

  /** Shuts all workers down and starts them again. Resolves with what was not clean about it. */
  async endWorkers(): Promise<string[]> {
    return (await this.ask({ do: 'endWorkers' })).uncleanExits!;
  }

  async injectFaults(
    how: Omit<Extract<Request, { do: 'injectFaults' }>, 'do'>,
  ): Promise<{ faults: Fault[]; crashed: string[]; uncleanExits: string[] }> {
    const { faults, crashed, uncleanExits } = await this.ask({ do: 'injectFaults', ...how });
    return { faults: faults!, crashed: crashed!, uncleanExits: uncleanExits! };
  }

  async close(): Promise<void> {
    if (this.child.connected) await this.ask({ do: 'close' }).catch(() => undefined);
    if (this.child.connected) this.child.disconnect();
  }

  private ask(request: Request): Promise<Answer> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const heard = (answer: Answer) => {
        if (answer.id !== id) return;
        done();
        if (answer.error) reject(new Error(answer.error));
        else resolve(answer);
      };
      const gone = () => {
        done();
        reject(new Error('the chaos process is gone'));
      };
      const done = () => this.child.off('message', heard).off('exit', gone);
      this.child.on('message', heard).on('exit', gone);
      this.child.send({ ...request, id });
    });
  }
}
