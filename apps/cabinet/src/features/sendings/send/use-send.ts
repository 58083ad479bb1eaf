import { ApiError, type SendingReceipt, type Task } from '@heliograph/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { fieldErrors } from '../../../core/errors.ts';
import { keyKeeper } from '../../../core/idempotency.ts';
import { useSettings } from '../../../core/settings.ts';
import { createSending } from '../sendings.api.ts';
import { fieldOf, fieldOfCode, type Broken } from './send-rules.ts';
import { toInput, type SendValues } from './send-values.ts';

export type Created = { task: Task } | { receipt: SendingReceipt };

interface Outcome {
  onCreated: (created: Created) => void;
  /** The refusal, and the fields that it is about. */
  onRefused: (broken: Broken) => void;
}

/** Sends once, however often it is clicked. */
export function useSend({ onCreated, onRefused }: Outcome) {
  const client = useQueryClient();
  const { sendernamesCheck } = useSettings().sendings;
  const keys = useRef(keyKeeper());
  return useMutation({
    mutationFn: (values: SendValues) => {
      const body = toInput(values);
      return createSending(body, keys.current.keyFor(body));
    },
    onSuccess: (answer) => {
      keys.current.forget();
      void client.invalidateQueries({ queryKey: ['tasks', 'find'] });
      void client.invalidateQueries({ queryKey: ['sendings'] });
      void client.invalidateQueries({ queryKey: ['billings'] });
      if (Array.isArray(answer)) return;
      onCreated('state' in answer ? { task: answer } : { receipt: answer });
    },
    onError: (error, values) => {
      const broken: Broken = {};
      for (const { path, rule } of fieldErrors(error)) broken[fieldOf(path)] ??= rule;
      if (error instanceof ApiError) {
        const field = fieldOfCode(error.code, values, sendernamesCheck);
        if (field) broken[field] ??= error.code;
      }
      onRefused(broken);
    },
    meta: { showsErrors: true },
  });
}
