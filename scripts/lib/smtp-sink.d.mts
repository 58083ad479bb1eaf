export interface ReceivedEmail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  source: string;
}

export class SmtpSink {
  emails: ReceivedEmail[];
  refuse: string[];
  /** Number of emails whose transfer was started. */
  attempts: number;
  open(port?: number): Promise<string>;
  close(): void;
}
