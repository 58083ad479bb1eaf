import { useEffect, useState, type ReactNode } from 'react';
import { tryCopy } from '../core/copy.ts';

interface CopyButtonProps {
  value: string;
  children: (button: { copied: boolean; copy: () => void }) => ReactNode;
}

const SHOWN_MS = 1500;

/** Copies a text; its child draws the button and the confirmation. */
export function CopyButton({ value, children }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => setCopied(await tryCopy(value));
  return children({ copied, copy: () => void copy() });
}
