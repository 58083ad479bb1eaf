/** A call to a simulated party. The hosts of the party make it of what they receive over HTTP. */
export interface SimulatedRequest {
  method: string;
  /** Below the address of the party: `/pay/1`. */
  path: string;
  query: Record<string, string | undefined>;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

export interface SimulatedResponse {
  status: number;
  html?: string;
  json?: unknown;
  location?: string;
}

export interface SimulatedParty {
  respond(request: SimulatedRequest): SimulatedResponse | Promise<SimulatedResponse>;
}
