import { createServer } from 'node:net';

/** An SMTP server for tests that stores every email. `refuse` lists replies with which the next emails are refused. */
export class SmtpSink {
  emails = [];
  refuse = [];
  attempts = 0;
  #sockets = new Set();
  #server = createServer((socket) => this.#talk(socket));

  /** Its `smtp://` address. */
  async open(port = 0) {
    await new Promise((done) => this.#server.listen(port, '127.0.0.1', done));
    return `smtp://127.0.0.1:${this.#server.address().port}`;
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #talk(socket) {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => undefined);
    const say = (line) => socket.write(`${line}\r\n`);
    let text = '';
    let envelope;
    let isData = false;
    const read = () => {
      for (;;) {
        const end = isData ? '\r\n.\r\n' : '\r\n';
        const at = text.indexOf(end);
        if (at < 0) return;
        const part = text.slice(0, at);
        text = text.slice(at + end.length);
        if (isData) {
          isData = false;
          this.emails.push(parsed(envelope, part.replaceAll('\r\n..', '\r\n.')));
          say('250 kept');
        } else command(part);
      }
    };
    const command = (line) => {
      const [verb] = line.toUpperCase().split(/[ :]/);
      if (verb === 'MAIL') {
        this.attempts++;
        const refusal = this.refuse.shift();
        if (refusal) return say(refusal);
        envelope = { from: addressOf(line), to: [] };
      }
      if (verb === 'RCPT') envelope.to.push(addressOf(line));
      if (verb === 'DATA') {
        isData = true;
        return say('354 go on');
      }
      if (verb === 'QUIT') return socket.end('221 bye\r\n');
      say('250 ok');
    };
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      read();
    });
    say('220 smtp sink');
  }
}

const addressOf = (line) => /<([^<>]*)>/.exec(line)?.[1] ?? '';

function parsed(envelope, source) {
  const [head, body] = halves(source);
  const boundary = /boundary="?([^";\r]+)/.exec(head)?.[1];
  const parts = boundary ? body.split(`--${boundary}`).slice(1, -1).map(halves) : [[head, body]];
  const of = (type) => {
    const [about, content] = parts.find(([about]) => about.includes(type)) ?? ['', ''];
    return decoded(about, content.trim());
  };
  const subject =
    /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head)?.[1].replace(/\r\n[ \t]/g, ' ') ?? '';
  return {
    ...envelope,
    source,
    subject: words(subject),
    text: of('text/plain'),
    html: of('text/html'),
  };
}

function halves(source) {
  const text = source.replace(/^\r\n/, '');
  const at = text.indexOf('\r\n\r\n');
  return [text.slice(0, at), text.slice(at + 4)];
}

function decoded(about, content) {
  if (/encoding: base64/i.test(about)) return Buffer.from(content, 'base64').toString('utf8');
  if (/encoding: quoted-printable/i.test(about)) return quoted(content.replace(/=\r\n/g, ''));
  return content;
}

const quoted = (text) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** Encoded words of a header. */
const words = (text) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind, encoded) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(encoded, 'base64').toString('utf8')
        : quoted(encoded.replaceAll('_', ' ')),
    );
