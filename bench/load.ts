import autocannon from 'autocannon';

/** What a process of load is to do; comes as JSON in the first argument. Its result goes to stdout. */
export interface Load {
  url: string;
  connections: number;
  seconds: number;
  /** Each connection speaks with the next of these. */
  tokens: string[];
}

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  accepted: number;
}

const { url, connections, seconds, tokens } = JSON.parse(process.argv[2]!) as Load;
let n = 0;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  method: 'POST',
  setupClient(client) {
    const i = n++;
    client.setHeaders({
      'content-type': 'application/json',
      authorization: tokens[i % tokens.length]!,
    });
    client.setBody(
      JSON.stringify({
        type: 'viber',
        recipient: `+7916${String(1_000_000 + i)}`,
        payload: { sender: 'MIRTEA', text: `Your code is ${1000 + i}` },
      }),
    );
  },
});
if (result.non2xx || result.errors)
  throw new Error(`${result.non2xx} refused, ${result.errors} failed of ${result['2xx']}`);
process.stdout.write(
  JSON.stringify({
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    accepted: result['2xx'],
  } satisfies LoadResult),
);
