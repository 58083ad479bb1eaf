export interface KeptLetter {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  source: string;
}

export class LetterBox {
  letters: KeptLetter[];
  refuse: string[];
  /** How many letters were begun. */
  tried: number;
  open(port?: number): Promise<string>;
  close(): void;
}
