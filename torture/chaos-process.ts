import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Ask, Fault } from './chaos.ts';
import type { Address } from './house.ts';

type Question = Ask extends infer A ? (A extends { id: number } ? Omit<A, 'id'> : never) : never;

/** The process that holds the product and hurts it, as seen from the one that uses the product and checks it. */
export class ChaosProcess {
  private readonly child: ChildProcess;
  private next = 1;

  constructor() {
    const file = fileURLToPath(new URL('./chaos.ts', import.meta.url));
    this.child = fork(file, { execArgv: [], stdio: 'inherit', detached: true });
  }

  async open(dir: string): Promise<Address> {
    return (await this.ask({ do: 'open', dir })).address!;
  }

  async storm(
    how: Omit<Extract<Question, { do: 'storm' }>, 'do'>,
  ): Promise<{ faults: Fault[]; fallen: string[]; disorderly: string[] }> {
    const { faults, fallen, disorderly } = await this.ask({ do: 'storm', ...how });
    return { faults: faults!, fallen: fallen!, disorderly: disorderly! };
  }

  async close(): Promise<void> {
    if (this.child.connected) await this.ask({ do: 'close' }).catch(() => undefined);
    if (this.child.connected) this.child.disconnect();
  }

  private ask(question: Question): Promise<Answer> {
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
      this.child.send({ ...question, id });
    });
  }
}
