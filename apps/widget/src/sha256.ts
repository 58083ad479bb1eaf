/** Fractional parts of the roots of the first primes, the constants of SHA-256. */
function constants(): { start: Int32Array; rounds: Int32Array } {
  const [start, rounds]: [number[], number[]] = [[], []];
  const fraction = (n: number) => ((n - Math.floor(n)) * 2 ** 32) | 0;
  for (let n = 2; rounds.length < 64; n++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= n; divisor++) isPrime &&= n % divisor !== 0;
    if (!isPrime) continue;
    if (start.length < 8) start.push(fraction(Math.sqrt(n)));
    rounds.push(fraction(Math.cbrt(n)));
  }
  return { start: Int32Array.from(start), rounds: Int32Array.from(rounds) };
}
const { start, rounds } = constants();
const words = new Int32Array(64);
const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));

/** SHA-256, synchronous and in 600 bytes: `crypto.subtle` is absent over plain HTTP. */
export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((message.length + 72) & ~63);
  padded.set(message);
  padded[message.length] = 0x80;
  const input = new DataView(padded.buffer);
  input.setUint32(padded.length - 4, message.length * 8);
  const hash = start.slice();
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = input.getInt32(block + i * 4);
    for (let i = 16; i < 64; i++) words[i] = extended(i);
    let a = hash[0]!;
    let b = hash[1]!;
    let c = hash[2]!;
    let d = hash[3]!;
    let e = hash[4]!;
    let f = hash[5]!;
    let g = hash[6]!;
    let h = hash[7]!;
    for (let i = 0; i < 64; i++) {
      const up = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const t = (h + up + ((e & f) ^ (~e & g)) + rounds[i]! + words[i]!) | 0;
      const down = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const most = (b & c) ^ (b & a) ^ (c & a);
      h = g;
      g = f;
      f = e;
      e = (d + t) | 0;
      d = c;
      c = b;
      b = a;
      a = (t + down + most) | 0;
    }
    hash[0]! += a;
    hash[1]! += b;
    hash[2]! += c;
    hash[3]! += d;
    hash[4]! += e;
    hash[5]! += f;
    hash[6]! += g;
    hash[7]! += h;
  }
  const output = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i++) output.setInt32(i * 4, hash[i]!);
  return new Uint8Array(output.buffer);
}

function extended(i: number): number {
  const x = words[i - 15]!;
  const y = words[i - 2]!;
  const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
  const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
  return words[i - 16]! + low + words[i - 7]! + high;
}
