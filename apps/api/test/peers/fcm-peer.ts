import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JwtService } from '@nestjs/jwt';
import { z } from 'zod';

const PROJECT = 'tea-shop-1';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const MAX_PAYLOAD = 4_096;
const MAX_TTL = 2_419_200;

const seconds = z.string().regex(/^\d{1,7}$/);
const Request = z.strictObject({
  message: z.strictObject({
    token: z.string(),
    notification: z.strictObject({ title: z.string(), body: z.string() }),
    data: z.record(z.string(), z.string()),
    android: z.strictObject({
      ttl: z
        .string()
        .regex(/^\d{1,7}s$/)
        .refine((ttl) => Number.parseInt(ttl, 10) <= MAX_TTL),
      priority: z.enum(['HIGH', 'NORMAL']),
    }),
    apns: z.strictObject({
      headers: z.strictObject({ 'apns-expiration': z.string().regex(/^\d{10}$/) }),
    }),
    webpush: z.strictObject({
      headers: z.strictObject({ TTL: seconds }),
      fcm_options: z.strictObject({ link: z.url({ protocol: /^https$/ }) }).optional(),
    }),
  }),
});
export type FcmMessage = z.output<typeof Request>['message'];

/** An answer of the service: `error` as the API has it, anything else as it is. */
export interface FcmAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Of the API. */
  error?: { message?: string; status: string; errorCode?: string; field?: string };
  body?: string;
}
/** How a call fails without an answer. */
export type FcmFault = 'silence' | 'drop';

/** Firebase Cloud Messaging and the tokens of Google, in one server. It refuses what the documentation does not allow. */
export class FcmPeer {
  /** Messages that were accepted. */
  readonly taken: FcmMessage[] = [];
  /** What is answered to a registration token, in place of accepting the message. */
  readonly answers: Record<string, FcmAnswer | FcmFault> = {};
  /** Next answers to the question for an access token. */
  readonly tokenAnswers: FcmAnswer[] = [];
  readonly granted: string[] = [];
  /** Access tokens that are not valid any more. */
  readonly revoked = new Set<string>();
  expiresIn = 3_599;
  calls = 0;
  /** Calls at a time, at most. */
  most = 0;
  delayMs = 0;
  private running = 0;
  private base = '';
  private readonly pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  private readonly server: Server = createServer((request, response) => {
    void this.serve(request, response);
  });

  /** The options of a channel to it. */
  async start(): Promise<{
    projectId: string;
    serviceAccount: string;
    url: string;
    tokenUrl: string;
  }> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    this.base = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    const serviceAccount = JSON.stringify({
      type: 'service_account',
      project_id: PROJECT,
      private_key_id: 'key-1',
      private_key: this.pair.privateKey,
      client_email: `push@${PROJECT}.iam.gserviceaccount.com`,
      token_uri: this.tokenUrl,
    });
    return { projectId: PROJECT, serviceAccount, url: this.base, tokenUrl: this.tokenUrl };
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }

  private get tokenUrl(): string {
    return `${this.base}/token`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const isToken = request.url === '/token';
    if (!isToken) {
      this.calls++;
      this.most = Math.max(this.most, ++this.running);
      await new Promise((done) => setTimeout(done, this.delayMs));
    }
    const answer = isToken ? await this.grant(request, body) : this.take(request, body);
    if (!isToken) this.running--;
    if (answer === 'silence') return;
    if (answer === 'drop') return void request.socket.destroy();
    response
      .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      .end(answer.error ? JSON.stringify(errorOf(answer.status, answer.error)) : answer.body);
  }

  /** RFC 7523, as Google checks it. */
  private async grant(request: IncomingMessage, body: string): Promise<FcmAnswer> {
    const set = this.tokenAnswers.shift();
    if (set) return set;
    const refused = (error: string): FcmAnswer => ({
      status: 400,
      body: JSON.stringify({ error }),
    });
    const fields = new URLSearchParams(body);
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    if (request.method !== 'POST' || !isForm || [...fields.keys()].length !== 2)
      return refused('invalid_request');
    if (fields.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return refused('unsupported_grant_type');
    try {
      const claims = await new JwtService().verifyAsync<Record<string, unknown>>(
        fields.get('assertion')!,
        {
          publicKey: this.pair.publicKey,
          algorithms: ['RS256'],
          audience: this.tokenUrl,
          issuer: `push@${PROJECT}.iam.gserviceaccount.com`,
        },
      );
      if (claims.scope !== SCOPE) return refused('invalid_scope');
      if (Number(claims.exp) - Number(claims.iat) > 3_600) return refused('invalid_grant');
    } catch {
      return refused('invalid_grant');
    }
    const token = `ya29.token-${this.granted.length}`;
    this.granted.push(token);
    return {
      status: 200,
      body: JSON.stringify({
        access_token: token,
        expires_in: this.expiresIn,
        token_type: 'Bearer',
      }),
    };
  }

  private take(request: IncomingMessage, body: string): FcmAnswer | FcmFault {
    if (request.method !== 'POST' || request.url !== `/v1/projects/${PROJECT}/messages:send`)
      return { status: 404, body: '<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>' };
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !this.granted.includes(token) || this.revoked.has(token))
      return { status: 401, error: { status: 'UNAUTHENTICATED', message: 'Invalid credentials.' } };
    const { data, error } = Request.safeParse(JSON.parse(body));
    if (!data)
      return {
        status: 400,
        error: { status: 'INVALID_ARGUMENT', message: `Invalid JSON payload received. ${error}` },
      };
    const { notification, data: fields } = data.message;
    if (Buffer.byteLength(JSON.stringify({ notification, data: fields })) > MAX_PAYLOAD)
      return {
        status: 400,
        error: { status: 'INVALID_ARGUMENT', message: 'Android message is too big' },
      };
    const set = this.answers[data.message.token];
    if (set) return set;
    this.taken.push(data.message);
    return {
      status: 200,
      body: JSON.stringify({ name: `projects/${PROJECT}/messages/0:${this.taken.length}%a1` }),
    };
  }
}

const errorOf = (
  code: number,
  { message = 'Refused.', status, errorCode, field }: NonNullable<FcmAnswer['error']>,
) => ({
  error: {
    code,
    message,
    status,
    details: [
      ...(errorCode
        ? [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }]
        : []),
      ...(field
        ? [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field, description: 'Invalid.' }],
            },
          ]
        : []),
    ],
  },
});
