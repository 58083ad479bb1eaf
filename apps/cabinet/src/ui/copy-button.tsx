import { useEffect, useState, type ReactNode } from 'react';
import { copy } from '../core/copy.ts';

interface CopyButtonProps {
  value: string;
  /** Says what was copied. */
  notice?: string;
  children: (button: { copied: boolean; copy: () => void }) => ReactNode;
}

const SHOWN_MS = 1500;

/** Copies a text; its child draws the button. */
export function CopyButton({ value, notice, children }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const press = async () => setCopied(await copy(value, notice));
  return children({ copied, copy: () => void press() });
}
