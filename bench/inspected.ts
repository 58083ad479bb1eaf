import { setTimeout as sleep } from 'node:timers/promises';

/** The inspector of a process of Node that was started with `--inspect`. */
export class Inspected {
  private readonly socket: WebSocket;
  private id = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
  }

  static async of(port: number): Promise<Inspected> {
    for (let i = 0; i < 100; i++) {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
      if (answer?.ok) {
        const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
        const socket = new WebSocket(target!.webSocketDebuggerUrl);
        await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
        return new Inspected(socket);
      }
      await sleep(100);
    }
    throw new Error(`no inspector on port ${port}`);
  }

  collectGarbage(): Promise<unknown> {
    return this.call('HeapProfiler.collectGarbage');
  }

  /** The timers and sockets that keep the process running, by kind. */
  async resources(): Promise<Record<string, number>> {
    const expression = 'JSON.stringify(process.getActiveResourcesInfo())';
    const { result } = (await this.call('Runtime.evaluate', { expression })) as {
      result: { value: string };
    };
    const kinds = JSON.parse(result.value) as string[];
    const counts: Record<string, number> = {};
    for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  }

  close(): void {
    this.socket.close();
  }

  private call(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.id;
    return new Promise((resolve) => {
      const hear = ({ data }: MessageEvent) => {
        const answer = JSON.parse(data as string) as { id?: number; result?: unknown };
        if (answer.id !== id) return;
        this.socket.removeEventListener('message', hear);
        resolve(answer.result);
      };
      this.socket.addEventListener('message', hear);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
