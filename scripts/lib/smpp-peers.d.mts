export interface SmppPeers {
  perl: string;
  perlLib: string;
  bearerbox: string;
  smsbox: string;
  env: Record<string, string>;
}

export function smppPeers(): Promise<SmppPeers>;
