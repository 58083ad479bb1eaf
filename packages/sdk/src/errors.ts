/** A field that was refused, and why. */
export interface FieldError {
  field: string;
  message: string;
}

/** What the API answers with instead of a result. One-time codes name their errors `type`, everything else `code`. */
interface ErrorBody {
  code?: string;
  type?: string;
  message?: string;
  /** The HTTP status; in the receipt of a refused message, the reason. */
  error?: number | string;
  data?: FieldError[];
  requestId?: string;
  docs?: string;
}

/** The API refused the call. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The code of the error, as the documentation lists them: `validation`, `insufficient_funds`, `InvalidCodeException`. */
  readonly code: string;
  /** The refused fields. */
  readonly fields: readonly FieldError[];
  /** Names the call in the logs of the server. */
  readonly requestId: string;
  /** The URL of the page about the error: its cause and what to do. Absent where the answer is not of the API. */
  readonly docs: string | undefined;
  /** Seconds after which the call may be repeated. */
  readonly retryAfter: number | undefined;
  /** The body as it was received. */
  readonly body: unknown;

  constructor(status: number, body: unknown, headers: Headers) {
    const known = (typeof body === 'object' && body ? body : {}) as ErrorBody;
    const code = known.type ?? known.code ?? `http_${status}`;
    super(known.message ?? (typeof known.error === 'string' ? known.error : code));
    this.status = status;
    this.code = code;
    this.fields = Array.isArray(known.data) ? known.data : [];
    this.requestId = known.requestId ?? headers.get('x-request-id') ?? '';
    this.docs = known.docs;
    this.retryAfter = secondsOf(headers.get('retry-after'));
    this.body = body;
  }
}

/** The server was not reached, or the connection was lost before the whole answer came. Whether the call had its effect is unknown. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(cause: unknown) {
    super('No answer', { cause });
  }
}

/** A number of seconds or a date, by RFC 9110. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = Number(retryAfter);
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
